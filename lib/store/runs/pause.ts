import type { Db, Statement } from "../db";

/*
 * Races with: nothing, because the transaction holds the run (lockRun). For a claimed run the pause is only requested:
 * its worker receives it with its next record or heartbeat, lets running bodies finish, and the record that ends the
 * claim pauses the run, as does the take-over if the worker dies first. Any other run is held here: without a due time,
 * no claim finds it. The timers of its steps do not change.
 */
export const HELD = `pause_requested_at = clock_timestamp(), revision = run.revision + 1,
      status = case when run.status = 'running' then 'running' else 'paused' end,
      epoch = case when run.status = 'running' then run.epoch else run.epoch + 1 end,
      held_due_at = case when run.started_at is null then run.due_at end,
      due_at = null, waiting_kind = null, waiting_step = null, waiting_since = null`;

const pauseStatement: Statement = {
  name: "pause",
  text: `update handrail.run set ${HELD}, pause_root = $2::uuid where id = $1::uuid`,
};

/** `root`: the run whose pause includes its children; null for a pause of this run alone. */
export async function pauseRun(tx: Db, runId: string, root: string | null): Promise<void> {
  await tx.query(pauseStatement, [runId, root]);
}

/*
 * A run that has begun becomes claimable at once, whatever it waited for: its pass continues with what has happened
 * meanwhile, and waits on for the rest, by its steps' timers. A claimed run's pause request is withdrawn; if its worker
 * has stopped the pass already, the run is handed back as pending.
 */
export const RELEASED = `pause_requested_at = null, pause_root = null, held_due_at = null, revision = run.revision + 1,
      status = case when run.status = 'paused' then 'pending' else run.status end,
      epoch = case when run.status = 'paused' then run.epoch + 1 else run.epoch end,
      attention = case when run.status <> 'paused' then run.attention end,
      due_at = case when run.status = 'paused' and run.held_due_at > clock_timestamp() then run.held_due_at end`;

const resumeStatement: Statement = {
  name: "resume",
  text: `update handrail.run set ${RELEASED} where id = $1::uuid`,
};

export async function resumeRun(tx: Db, runId: string): Promise<void> {
  await tx.query(resumeStatement, [runId]);
}
