"use client";

import type { ReactNode } from "react";
import { RunInspector, RunNotes } from "@/components/domain/run-preview/run-inspector";
import { useHotkeys } from "@/components/parts/keys/use-hotkeys";
import { useHydrated } from "@/components/ui/hooks/use-hydrated";
import { SIDE_BY_SIDE, useMediaQuery } from "@/components/ui/hooks/use-media-query";
import { Sheet } from "@/components/ui/overlay/sheet";
import type { Run, Step } from "@/lib/api/contract/run";
import { StepInspector } from "./run-views-later";

interface WithInspectorProps {
  run: Run;
  step: Step | null;
  /** The step that the address names; null: the page opened at one by itself, and covers nothing with it. */
  named: string | null;
  onClose: () => void;
  children: ReactNode;
}

/** A view of the steps, and beside it what is known of the one that is chosen, or of the run. */
export function WithInspector({ run, step, named, onClose, children }: WithInspectorProps) {
  const wide = useMediaQuery(SIDE_BY_SIDE);
  const hydrated = useHydrated();
  useHotkeys({ Escape: onClose });
  // What a run waits for, and what ends it, is said of the run.
  const inspected = named === null && step?.status === "waiting" ? null : step;
  return (
    <div className="flex min-h-0 flex-1 flex-col xl:flex-row">
      {children}
      <aside
        aria-label="Inspector"
        className="min-w-0 border-line bg-panel max-xl:border-t xl:w-[400px] xl:shrink-0 xl:overflow-y-auto xl:border-l"
      >
        {inspected && wide ? (
          <>
            {named === null && <RunNotes run={run} />}
            <StepInspector
              key={`${inspected.name} ${inspected.generation}`}
              run={run}
              step={inspected}
              onClose={onClose}
            />
          </>
        ) : (
          <RunInspector run={run} />
        )}
      </aside>
      <Sheet
        open={hydrated && !wide && named !== null && step !== null}
        onClose={onClose}
        title={<span className="font-mono text-small">{step?.name}</span>}
      >
        {step && <StepInspector run={run} step={step} />}
      </Sheet>
    </div>
  );
}
