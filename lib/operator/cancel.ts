import { mayCancel } from "../engine/operator-acts";
import { cancel as cancelRun } from "../store/cancel";
import { carryOut, type Desk } from "./command";

export interface Cancellation {
  runId: string;
  reason: string;
  revision?: number | undefined;
}

/** Ends a run that nobody works on at once; asks the worker of any other one to end it. */
export function cancel(desk: Desk, { runId, reason, revision }: Cancellation) {
  return carryOut(desk, {
    act: "cancel",
    runId,
    reason,
    revision,
    isOpen: mayCancel,
    change: (tx) => cancelRun(tx, runId),
  });
}
