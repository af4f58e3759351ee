import { systemCaller } from "../../engine/audit/audit";
import type { AuditKeys } from "../../engine/audit/audit-keys";
import type { Db } from "../../store/db";
import { lockRun } from "../../store/runs/lock-run";
import { canBeCancelled, cancelAs } from "../others/cancel-as";

const REASON = "The schedule is due again, and its overlap policy cancels the earlier run.";

/** Cancels a run because its schedule's next time has come: as an operator would, with its audit row. */
export function cancelEarlierRun(db: Db, keys: AuditKeys, schedule: string, runId: string): Promise<void> {
  return db.transaction(async (tx) => {
    const before = await lockRun(tx, runId);
    if (before && canBeCancelled(before))
      await cancelAs(tx, keys, systemCaller(`schedule ${schedule}`), before, REASON);
  });
}
