import type { Db, Statement } from "../db";
import type { CompensationRow, RunRow, StepRow } from "../rows";
import { SINGLETON_HOLDER, type WithHolder } from "./singleton";

/** A run that this transaction holds, with the facts for the rules of actions. */
export interface LockedRun {
  run: Omit<RunRow, "input" | "output" | "error"> & WithHolder;
  /** Steps that are not superseded, in order. */
  steps: LockedStep[];
}

type LockedStep = Pick<
  StepRow,
  | "name"
  | "kind"
  | "effect"
  | "generation"
  | "status"
  | "position"
  | "attempt"
  | "can_ask"
  | "doubt"
  | "compensation_mode"
> & { compensation_status: CompensationRow["status"] | null; assignee: CompensationRow["assignee"] };

/*
 * The lock that every write of an owner or operator takes first; the second one sees the first one's changes. The steps
 * are read by a separate statement: one that began before the lock was granted would show the state before.
 */
const lockStatement: Statement = {
  name: "lock-run",
  text: `
    select id, workflow, version, chosen_version, code_version, status, epoch, worker_id, revision, generation, priority, due_at, cancel_requested_at, pause_requested_at, pause_root,
      waiting_kind, waiting_step, waiting_since, attention, failed_step, tags, run_title, idempotency_key, parent_run_id, parent_step, page_of, queue_key,
      created_at, started_at, finished_at, erased_at, ${SINGLETON_HOLDER} as singleton_holder
    from handrail.run where id = $1::uuid
    for no key update`,
};

const stepsStatement: Statement = {
  name: "locked-steps",
  text: `
    select step.name, step.kind, step.effect, step.generation, step.status, step.position, step.attempt, step.can_ask, step.doubt, step.compensation_mode,
      compensation.status as compensation_status, compensation.assignee
    from handrail.step
    left join handrail.compensation on compensation.run_id = step.run_id
      and compensation.step = step.name and compensation.generation = step.generation
    where step.run_id = $1::uuid and step.superseded_by is null
    order by step.position`,
};

/** Waits for the holder of the run's lock; undefined if there is no such run. */
export async function lockRun(tx: Db, runId: string): Promise<LockedRun | undefined> {
  const [run] = await tx.query<LockedRun["run"]>(lockStatement, [runId]);
  return run && { run, steps: await tx.query<LockedStep>(stepsStatement, [runId]) };
}
