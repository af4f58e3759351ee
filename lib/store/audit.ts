import type { Db, Statement } from "./db";

export interface AuditEntry {
  actor: string;
  act: string;
  /** Null for an act on a schedule or a workflow. */
  runId: string | null;
  step: string | null;
  schedule?: string;
  workflow?: string;
  reason: string;
  /** What the act changed, as it was and as it is. */
  before: object;
  after: object;
  requestKey: string | null;
}

const insertAudit: Statement = {
  name: "insert-audit",
  text: `
    insert into handrail.audit (actor, act, run_id, step, reason, "before", "after", request_key, schedule, workflow)
    values ($1, $2, $3::uuid, $4, $5, $6::jsonb, $7::jsonb, $8, $9, $10)`,
};

/** Written in the transaction of the act itself: there is neither an act without its row nor a row without its act. */
export async function writeAudit(tx: Db, entry: AuditEntry): Promise<void> {
  const { actor, act, runId, step, reason, before, after, requestKey, schedule = null, workflow = null } = entry;
  await tx.query(insertAudit, [
    actor,
    act,
    runId,
    step,
    reason,
    JSON.stringify(before),
    JSON.stringify(after),
    requestKey,
    schedule,
    workflow,
  ]);
}
