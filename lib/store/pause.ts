import type { Db, Statement } from "./db";

/*
 * Races with: nobody, for the transaction holds the run (lockRun). A run that is worked on is only asked: its worker hears
 * of it with its next record or heartbeat, lets what is in flight finish, and the record that ends the claim pauses the run,
 * as does the take-over of a worker that dies first. Any other run is held here: without an instant at which it is due, no
 * claim finds it. The timers of its steps stay as they are.
 */
const pauseStatement: Statement = {
  name: "pause",
  text: `
    update handrail.run set
      pause_requested_at = clock_timestamp(), revision = revision + 1,
      status = case when status = 'running' then 'running' else 'paused' end,
      epoch = case when status = 'running' then epoch else epoch + 1 end,
      held_due_at = case when started_at is null then due_at end,
      due_at = null, waiting_kind = null, waiting_step = null, waiting_since = null
    where id = $1::uuid`,
};

export async function pauseRun(tx: Db, runId: string): Promise<void> {
  await tx.query(pauseStatement, [runId]);
}

/*
 * A run that has begun is looked at by a worker at once, whatever it waited for: its pass goes on with what has come about
 * meanwhile, and waits on for the rest, by the timers its steps have kept. A running run's pause is taken back; should its
 * worker have stopped the pass already, the run is handed back as pending.
 */
const resumeStatement: Statement = {
  name: "resume",
  text: `
    update handrail.run set
      pause_requested_at = null, held_due_at = null, revision = revision + 1,
      status = case when status = 'paused' then 'pending' else status end,
      epoch = case when status = 'paused' then epoch + 1 else epoch end,
      attention = case when status <> 'paused' then attention end,
      due_at = case when status = 'paused' and held_due_at > clock_timestamp() then held_due_at end
    where id = $1::uuid`,
};

export async function resumeRun(tx: Db, runId: string): Promise<void> {
  await tx.query(resumeStatement, [runId]);
}
