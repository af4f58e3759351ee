"use client";

import { showAct } from "@/components/domain/actions/use-open-act";
import { Button } from "@/components/ui/button";
import { Tooltip } from "@/components/ui/overlay/tooltip";
import type { Run } from "@/lib/api/contract/run";
import type { OperatorAct } from "@/lib/engine/runs/operator-acts";

interface WaitActProps {
  run: Run;
  act: { act: OperatorAct; label: string };
  step: string | null;
  event?: string | null | undefined;
}

/** The action that ends a wait; disabled without the permission, or when it is impossible, with the reason. */
export function WaitAct({ run, act: { act, label }, step, event }: WaitActProps) {
  const state = run.acts.find((candidate) => candidate.act === act);
  if (!state) return null;
  if (!state.open)
    return (
      <Tooltip text={state.because ?? ""}>
        <Button size="small" aria-disabled>
          {label}
        </Button>
      </Tooltip>
    );
  return (
    <Button size="small" onClick={() => showAct({ act, ...(step && { step }), ...(event && { event }) })}>
      {label}
    </Button>
  );
}
