import { withParent } from "../../actions/action";
import { mayCancel } from "../../actions/cancel";
import type { Caller } from "../../engine/audit/audit";
import type { AuditKeys } from "../../engine/audit/audit-keys";
import type { RunStatus } from "../../engine/runs/run";
import { writeAudit } from "../../store/audit/audit";
import type { Db } from "../../store/db";
import { cancel } from "../../store/runs/cancel";
import { cancelChildren } from "../../store/runs/cancel-children";
import { type LockedRun, lockRun } from "../../store/runs/lock-run";
import type { Changed } from "./others";

/** Whether a run can be cancelled, by the same rule as an operator's cancel. */
export const canBeCancelled = ({ run }: LockedRun): boolean =>
  mayCancel({ status: run.status, cancelRequested: run.cancel_requested_at !== null }).open;

/**
 * Cancels a run as an operator would: with the children that end with it, and the audit rows as the last lock. The
 * transaction holds the run. Returns its status now, and what others are to learn after the commit.
 */
export async function cancelAs(
  tx: Db,
  keys: AuditKeys,
  by: Caller,
  before: LockedRun,
  reason: string,
): Promise<{ status: RunStatus; changed: Changed }> {
  const { id: runId, workflow } = before.run;
  await cancel(tx, runId);
  const children = await cancelChildren(tx, runId);
  const after = (await lockRun(tx, runId)) as LockedRun;
  const entry = { by, act: "cancel", step: null, requestKey: null };
  await writeAudit(tx, keys, [
    ...withParent(children, `Its parent was cancelled: ${reason}`).map((child) => ({ ...entry, ...child })),
    { ...entry, runId, workflow, reason, before: snapshot(before), after: snapshot(after) },
  ]);
  const { status, parent_run_id: parentRunId, finished_at: finishedAt } = after.run;
  const cancelled = [runId, ...children.map(({ id }) => id)];
  return { status, changed: { cancelled, ...(finishedAt !== null && { parentRunId }) } };
}

const snapshot = ({ run: { status, attention, generation, revision, cancel_requested_at: requested } }: LockedRun) => ({
  ...{ status, attention, generation, revision },
  ...(requested !== null && { cancelRequested: true }),
});
