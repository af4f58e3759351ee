import { withParent } from "../../actions/action";
import { mayCancel } from "../../actions/cancel";
import type { Caller } from "../../engine/audit/audit";
import type { AuditKeys } from "../../engine/audit/audit-keys";
import { writeAudit } from "../../store/audit/audit";
import type { Db } from "../../store/db";
import { cancel } from "../../store/runs/cancel";
import { cancelChildren } from "../../store/runs/cancel-children";
import { type LockedRun, lockRun } from "../../store/runs/lock-run";

/** Whether a run can be cancelled, by the same rule as an operator's cancel. */
export const canBeCancelled = ({ run }: LockedRun): boolean =>
  mayCancel({ status: run.status, cancelRequested: run.cancel_requested_at !== null }).open;

/**
 * Cancels a run as an operator would: with the children that end with it, and the audit rows as the last lock. The
 * transaction holds the run. Returns the run as it is now, and its children that were cancelled with it.
 */
export async function cancelAs(
  tx: Db,
  keys: AuditKeys,
  by: Caller,
  before: LockedRun,
  reason: string,
): Promise<{ after: LockedRun; children: string[] }> {
  const { id: runId, workflow } = before.run;
  await cancel(tx, runId);
  const children = await cancelChildren(tx, runId);
  const after = (await lockRun(tx, runId)) as LockedRun;
  const entry = { by, act: "cancel", step: null, requestKey: null };
  await writeAudit(tx, keys, [
    ...withParent(children, `Its parent was cancelled: ${reason}`).map((child) => ({ ...entry, ...child })),
    { ...entry, runId, workflow, reason, before: snapshot(before), after: snapshot(after) },
  ]);
  return { after, children: children.map(({ id }) => id) };
}

const snapshot = ({ run: { status, attention, generation, revision, cancel_requested_at: requested } }: LockedRun) => ({
  ...{ status, attention, generation, revision },
  ...(requested !== null && { cancelRequested: true }),
});
