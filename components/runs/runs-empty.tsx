"use client";

import { ListTree, SearchX } from "lucide-react";
import type { RunFilter } from "@/lib/api/contract/requests";
import { PermittedButton } from "../access/permitted-button";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { isFiltered } from "./run-url";

interface RunsEmptyProps {
  filter: RunFilter;
  onClear: () => void;
  onStart: () => void;
}

/** Nothing at all, or nothing that fits: two different next steps. */
export function RunsEmpty({ filter, onClear, onStart }: RunsEmptyProps) {
  if (!isFiltered(filter))
    return (
      <EmptyState
        icon={<ListTree aria-hidden />}
        title="No run has been started yet"
        action={
          <PermittedButton action="run.start" variant="primary" onClick={onStart}>
            Start a run…
          </PermittedButton>
        }
      >
        Runs come from your code, from <span className="font-mono text-small">POST /api/v1/runs</span>, or from here.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<SearchX aria-hidden />}
      title="No run fits these filters"
      action={<Button onClick={onClear}>Clear the filters</Button>}
    >
      {filter.q ? (
        <>
          Nothing has <span className="break-all font-mono text-small">{filter.q}</span> as its id, its key or the value
          of a tag. Keys are compared whole.
        </>
      ) : (
        "Others may be waiting behind them."
      )}
    </EmptyState>
  );
}
