"use client";

import { X } from "lucide-react";
import { useState } from "react";
import type { RunFilter } from "@/lib/api/contract/requests";
import type { PlannedActName } from "@/lib/engine/planned-act";
import { formatCount } from "@/lib/format";
import { PermittedButton } from "../access/permitted-button";
import { ACT_WORDS, BULK_ACTS } from "../operations/operation-words";
import { PlanDialog } from "../operations/plan-dialog-later";
import { Button } from "../ui/button";
import type { RunSelection } from "./use-run-selection";

interface SelectionBarProps {
  selection: RunSelection;
  filter: RunFilter;
  /** Of rows that are loaded; more may match. */
  loaded: number;
  more: boolean;
}

/** What is chosen, and what can be done about it. It stands below the list, so that no row moves when it comes. */
export function SelectionBar({ selection, filter, loaded, more }: SelectionBarProps) {
  const [act, setAct] = useState<PlannedActName | null>(null);
  const { ids, all, chooseAll, clear } = selection;
  if (!all && ids.size === 0) return null;
  return (
    <section
      aria-label="Selected runs"
      className="flex flex-wrap items-center gap-2 border-line border-t bg-panel px-4 py-2 shadow-float md:px-6"
    >
      <p role="status" className="font-medium">
        {all ? "All that match" : `${formatCount(ids.size)} selected`}
      </p>
      {!all && ids.size === loaded && more && (
        <Button size="small" variant="ghost" onClick={chooseAll}>
          Select all that match
        </Button>
      )}
      <div className="flex flex-wrap gap-1.5 max-md:w-full md:ml-auto">
        {BULK_ACTS.map((name) => (
          <PermittedButton key={name} action="plan.make" className="max-md:flex-1" onClick={() => setAct(name)}>
            {ACT_WORDS[name]}…
          </PermittedButton>
        ))}
        <Button variant="ghost" size="square" aria-label="Clear the selection" onClick={clear}>
          <X aria-hidden className="size-4" />
        </Button>
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
