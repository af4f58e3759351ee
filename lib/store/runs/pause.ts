import type { Db, Statement } from "../db";

/*
 * Races with: nobody, for the transaction holds the run (lockRun). A run that is worked on is only asked: its worker hears
 * of it with its next record or heartbeat, lets what is in flight finish, and the record that ends the claim pauses the run,
 * as does the take-over of a worker that dies first. Any other run is held here: without an instant at which it is due, no
 * claim finds it. The timers of its steps stay as they are.
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

/** `root`: the run whose pause takes its children along; null for a pause of this run alone. */
export async function pauseRun(tx: Db, runId: string, root: string | null): Promise<void> {
  await tx.query(pauseStatement, [runId, root]);
}

/*
 * A run that has begun is looked at by a worker at once, whatever it waited for: its pass goes on with what has come about
 * meanwhile, and waits on for the rest, by the timers its steps have kept. A running run's pause is taken back; should its
 * worker have stopped the pass already, the run is handed back as pending.
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
