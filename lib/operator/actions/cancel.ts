import { mayCancel } from "../../engine/runs/operator-acts";
import { cancel as cancelRun } from "../../store/runs/cancel";
import { cancelChildren } from "../../store/runs/cancel-children";
import type { AlsoChanged } from "../audit/audited";
import { type Command, carryOut, type Desk } from "./command";
import { withParent } from "./with-parent";

interface Cancellation {
  runId: string;
  reason: string;
  revision?: number | undefined;
}

/**
 * Ends a run without a worker at once; asks the worker of any other run to end it. Its descendants that end with it are
 * cancelled by the same action.
 */
export const cancel = (desk: Desk, given: Cancellation) => carryOut(desk, cancelCommand(given));

export function cancelCommand({ runId, reason, revision }: Cancellation): Command {
  const children: AlsoChanged[] = [];
  return {
    act: "cancel",
    runId,
    reason,
    revision,
    isOpen: mayCancel,
    change: async (tx) => {
      await cancelRun(tx, runId);
      children.push(...withParent(await cancelChildren(tx, runId), `Its parent was cancelled: ${reason}`));
    },
    alsoChanged: children,
  };
}
