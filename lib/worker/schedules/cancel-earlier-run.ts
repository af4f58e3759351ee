import { mayCancel } from "../../actions/cancel";
import { systemCaller } from "../../engine/audit/audit";
import type { AuditKeys } from "../../engine/audit/audit-keys";
import { writeAudit } from "../../store/audit/audit";
import type { Db } from "../../store/db";
import { cancel } from "../../store/runs/cancel";
import { type LockedRun, lockRun } from "../../store/runs/lock-run";

/** Cancels a run because its schedule's next time has come: as an operator would, with its audit row. */
export function cancelEarlierRun(db: Db, keys: AuditKeys, schedule: string, runId: string): Promise<void> {
  return db.transaction(async (tx) => {
    const before = await lockRun(tx, runId);
    if (!before || !mayCancel(factsOf(before)).open) return;
    await cancel(tx, runId);
    const after = (await lockRun(tx, runId)) as LockedRun;
    await writeAudit(tx, keys, [
      {
        by: systemCaller(`schedule ${schedule}`),
        act: "cancel",
        runId,
        step: null,
        workflow: before.run.workflow,
        reason: "The schedule is due again, and its overlap policy cancels the earlier run.",
        before: snapshot(before),
        after: snapshot(after),
        requestKey: null,
      },
    ]);
  });
}

const factsOf = ({ run }: LockedRun) => ({
  status: run.status,
  cancelRequested: run.cancel_requested_at !== null,
});

const snapshot = ({ run: { status, attention, generation, revision } }: LockedRun) => ({
  status,
  attention,
  generation,
  revision,
});
