"use client";

import { SearchX } from "lucide-react";
import { isFiltered } from "@/components/domain/run-filter/run-url";
import { FirstRun } from "@/components/domain/start/first-run-later";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Spinner } from "@/components/ui/feedback/spinner";
import type { RunFilter } from "@/lib/api/contract/requests";

interface RunsEmptyProps {
  filter: RunFilter;
  /** So many runs were searched that some were left; null: none is left. */
  lookedBackTo: string | null;
  isLooking: boolean;
  onLookFurther: () => void;
  onClear: () => void;
  onStart: () => void;
}

/** Nothing at all, or nothing that fits: two different next steps. */
export function RunsEmpty({ filter, onClear, onStart, ...looking }: RunsEmptyProps) {
  if (!isFiltered(filter)) return <FirstRun onStart={onStart} />;
  if (looking.lookedBackTo !== null) return <NoneYet {...looking} at={looking.lookedBackTo} />;
  return (
    <EmptyState
      icon={<SearchX aria-hidden />}
      title="No runs match these filters"
      action={<Button onClick={onClear}>Clear the filters</Button>}
    >
      {filter.q ? (
        <>
          Nothing has <span className="break-all font-mono text-small">{filter.q}</span> as its id, key or tag value.
          Keys must match in full.
        </>
      ) : (
        emptyWords(filter)
      )}
    </EmptyState>
  );
}

/** Why a question about values may find nothing where there is something. */
const emptyWords = ({ where = [] }: RunFilter) =>
  where.some((one) => /^(input|output)\./.test(one))
    ? "Where a workflow masks anything, only people with payload.read find its runs by values of inputs and outputs."
    : "Others may match.";

type NoneYetProps = Pick<RunsEmptyProps, "isLooking" | "onLookFurther"> & { at: string };

/** In a long history, a match may be rare: "no runs" is shown only after all of it was searched. */
const NoneYet = ({ at, isLooking, onLookFurther }: NoneYetProps) => (
  <EmptyState
    icon={isLooking ? <Spinner /> : <SearchX aria-hidden />}
    title={isLooking ? "Searching…" : "No matches so far"}
    action={
      <Button disabled={isLooking} onClick={onLookFurther}>
        Search further
      </Button>
    }
  >
    No matches as far as <Instant at={at} />. Add a workflow, a status or a time to search faster.
  </EmptyState>
);
