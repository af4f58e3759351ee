"use client";

import { X } from "lucide-react";
import { useState } from "react";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import { BULK_ACTS, verbOf } from "@/components/domain/operations/operation-words";
import { PlanDialog } from "@/components/domain/operations/plan-dialog-later";
import { Button } from "@/components/ui/button";
import { COUNT_CAP } from "@/lib/api/contract/caps";
import type { RunFilter } from "@/lib/api/contract/requests";
import type { RunListItem } from "@/lib/api/contract/run";
import type { PlannedActName } from "@/lib/engine/runs/operator-acts";
import { formatCount } from "@/lib/format";
import { standingOf } from "./selection-words";
import type { RunSelection } from "./use-run-selection";

interface SelectionBarProps {
  selection: RunSelection;
  filter: RunFilter;
  /** The rows that are loaded; more may match. */
  runs: readonly RunListItem[];
  more: boolean;
  /** Of all that match; null while unknown. */
  matching: number | null;
}

/** The selection and its actions. It is below the list, so that no row moves when it appears. */
export function SelectionBar({ selection, filter, runs, more, matching }: SelectionBarProps) {
  const [act, setAct] = useState<PlannedActName | null>(null);
  const { ids, all, chooseAll, clear } = selection;
  const chosen = standingOf(runs.filter(({ id }) => ids.has(id)));
  const note = all
    ? matching === null
      ? ""
      : `${formatCount(matching, COUNT_CAP)} ${matching === 1 ? "run" : "runs"}`
    : chosen;
  return (
    <section
      aria-label="Selected runs"
      className="flex flex-wrap items-center gap-2 border-line border-t bg-panel px-4 py-2 shadow-float md:px-6"
    >
      <p role="status" className="min-w-0">
        <span className="font-medium">{all ? "All matches" : `${formatCount(ids.size)} selected`}</span>
        {note !== "" && <span className="text-ink-3"> · {note}</span>}
      </p>
      {!all && ids.size >= runs.length && more && (
        <Button size="small" variant="ghost" onClick={chooseAll}>
          Select all matches{matching !== null && ` (${formatCount(matching, COUNT_CAP)})`}
        </Button>
      )}
      <Button
        variant="ghost"
        size="square"
        aria-label="Clear the selection"
        onClick={clear}
        className="max-md:ml-auto md:order-last"
      >
        <X aria-hidden className="size-4" />
      </Button>
      <div className="flex flex-wrap gap-1.5 max-md:w-full md:ml-auto">
        {BULK_ACTS.map((name) => (
          <PermittedButton key={name} action="plan.make" className="max-md:flex-1" onClick={() => setAct(name)}>
            {verbOf(name)}…
          </PermittedButton>
        ))}
      </div>
      <PlanDialog
        {...(act && { act })}
        selection={all ? { filter } : { runIds: [...ids] }}
        open={act !== null}
        onOpenChange={(open) => !open && setAct(null)}
      />
    </section>
  );
}
