import type { Db, Statement } from "../db";

/*
 * Races with: nothing, for the transaction holds the run (lockRun). After each of these, the caller calls
 * `settleCompensations`, which decides what the run does next.
 */
const oweStatement: Statement = {
  name: "owe-compensations",
  text: `
    with owed as (
      insert into handrail.compensation (run_id, step, generation, mode, position, instructions)
      select run_id, name, generation, compensation_mode, finished_position, instructions
      from handrail.step
      where run_id = $1::uuid and superseded_by is null and status = 'completed' and compensation_mode is not null
      on conflict (run_id, step, generation) do nothing
    )
    update handrail.run set status = 'compensating', finished_at = null, epoch = epoch + 1, lost_claims = 0, cancel_requested_at = null,
      tells_parent = parent_run_id is not null
    where id = $1::uuid`,
};

/** Creates a compensation for every step of the run that has one. */
export async function oweCompensations(tx: Db, runId: string): Promise<void> {
  await tx.query(oweStatement, [runId]);
}

// Here and below the epoch stays when a worker holds the run: it is between two compensations, and continues with what
// it finds.
const retryStatement: Statement = {
  name: "retry-compensations",
  text: `
    with again as (
      update handrail.compensation set status = 'owed', failures = 0, next_attempt_at = null
      where run_id = $1::uuid and status = 'failed'
    )
    update handrail.run set lost_claims = 0, epoch = case when worker_id is null then epoch + 1 else epoch end
    where id = $1::uuid`,
};

/** The failed compensations are retried, with a fresh count of failures. */
export async function retryFailedCompensations(tx: Db, runId: string): Promise<void> {
  await tx.query(retryStatement, [runId]);
}

interface CompensationOutcome {
  status: "completed" | "waived";
  by: string;
  note: string;
  reference: string | null;
  /** An http(s) address. */
  evidence: string | null;
}

const recordOutcomeStatement: Statement = {
  name: "record-compensation-by-hand",
  text: `
    with recorded as (
      update handrail.compensation set
        status = $3, "by" = $4, note = $5, reference = $6, evidence = $7, finished_at = clock_timestamp(), next_attempt_at = null
      where run_id = $1::uuid and step = $2 and status in ('owed', 'failed')
    )
    update handrail.run set revision = revision + 1, epoch = case when worker_id is null then epoch + 1 else epoch end
    where id = $1::uuid`,
};

/** Resolves a compensation by an operator's decision. */
export async function recordCompensation(tx: Db, runId: string, step: string, outcome: CompensationOutcome) {
  const { status, by, note, reference, evidence } = outcome;
  await tx.query(recordOutcomeStatement, [runId, step, status, by, note, reference, evidence]);
}

// The run's revision stays: no action depends on the assignee.
const assignStatement: Statement = {
  name: "assign-compensation",
  text: `
    update handrail.compensation set assignee = $3, assignee_id = $4::uuid,
      assigned_by = case when $3::text is not null then $5 end,
      assigned_at = case when $3::text is not null then clock_timestamp() end
    where run_id = $1::uuid and step = $2 and status in ('owed', 'running', 'failed')`,
};

interface Assignment {
  /** Null: unassigned. */
  assignee: string | null;
  /** Null without sign-in. */
  assigneeId: string | null;
  by: string;
}

/** The assignee of an open compensation. */
export async function assignCompensation(
  tx: Db,
  runId: string,
  step: string,
  { assignee, assigneeId, by }: Assignment,
) {
  await tx.query(assignStatement, [runId, step, assignee, assigneeId, by]);
}
