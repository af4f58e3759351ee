import { standingSteps } from "@/components/domain/run/rerun-split";
import type { Resolution } from "@/lib/actions/settle";
import type { Run, Step } from "@/lib/api/contract/run";
import type { OperatorAct } from "@/lib/engine/runs/operator-acts";

/** An action whose dialog is open, with parameters preset by the button. */
export interface OpenAct {
  act: OperatorAct;
  step?: string;
  settleAs?: Resolution;
  markAs?: "compensated" | "waived";
  choice?: string;
  /** Name of the event. */
  event?: string;
}

/** The step of the action: the one that was named, or the one that needs it. */
export function stepOf(run: Run, { act, step }: OpenAct): Step | undefined {
  const standing = standingSteps(run.steps);
  if (step !== undefined) return standing.find(({ name }) => name === step);
  if (act === "settle")
    return (
      standing.find(({ status }) => status === "unknown") ??
      standing.find(({ name }) => name === run.failedStep) ??
      standing.find(({ status }) => status === "failed")
    );
  if (act === "mark_compensated" || act === "assign")
    return (
      standing.find(({ compensation }) => compensation.status === "failed") ??
      standing.find(({ compensation }) => compensation.status === "owed" && compensation.mode === "manual") ??
      standing.find(({ compensation }) => compensation.status === "owed")
    );
  if (act === "answer") return standing.find(({ kind, status }) => kind === "approval" && status === "waiting");
  return undefined;
}
