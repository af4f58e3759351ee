import type { Db, Statement } from "./db";

/** A run whose worker has died under it this often, without any progress in between, waits for a person. */
export const MAX_LOST_CLAIMS = 5;

/** Bounded, so that a sweep after a large outage shares the database with everybody else. */
const RUNS_PER_SWEEP = 500;

const POISONOUS = JSON.stringify({
  name: "PoisonousRun",
  code: "poisonous_run",
  message: `Its worker was lost ${MAX_LOST_CLAIMS} times in a row while it worked on this run. It is kept from the workers until somebody has looked at it.`,
});

/*
 * Guarantee: a run leaves its worker only after that worker's lease has ended by the database's clock, and the new epoch
 * fences the old owner at that instant. Races with: the same sweep in other processes (skip locked, and the lease is
 * compared again), the worker's own last flush (one of the two locks the row first; the other finds nothing).
 * The runs become claimable by anybody; what was running then is told by `lost_claim` and by the steps' start marks.
 */
const takeOverStatement: Statement = {
  name: "take-over",
  text: `
    with lost as (
      select run.id, run.epoch, run.worker_id, run.status, run.lost_claims + 1 >= $1::int as poisonous
      from handrail.worker join handrail.run on run.worker_id = worker.id
      where worker.stopped_at is null and worker.lease_expires_at < clock_timestamp()
      limit $2::int
      for no key update of run skip locked
    ), told as (
      insert into handrail.lost_claim (run_id, epoch, worker_id)
      select id, epoch, worker_id from lost
    )
    update handrail.run set
      epoch = run.epoch + 1, revision = run.revision + 1, worker_id = null, lost_claims = run.lost_claims + 1,
      status = case when lost.status = 'compensating' then 'compensating' when lost.poisonous then 'failed' else 'pending' end,
      due_at = case when lost.status = 'compensating' and not lost.poisonous then clock_timestamp() end,
      waiting_kind = case when lost.status = 'compensating' and lost.poisonous then 'operator' end,
      waiting_since = case when lost.status = 'compensating' and lost.poisonous then clock_timestamp() end,
      attention = case when not lost.poisonous then null when lost.status = 'compensating' then 'compensation_owed' else 'failed' end,
      error = case when lost.poisonous and lost.status <> 'compensating' then $3 else run.error end,
      finished_at = case when lost.poisonous and lost.status <> 'compensating' then clock_timestamp() end
    from lost where run.id = lost.id
    returning run.id::text`,
};

/*
 * A silent worker whose runs are all taken over is closed, so that sweeps look at the living. It cannot come back: its
 * beat finds no open row.
 */
const buryStatement: Statement = {
  name: "bury-workers",
  text: `
    update handrail.worker set stopped_at = clock_timestamp(), running = 0
    where stopped_at is null and lease_expires_at < clock_timestamp()
      and not exists (select from handrail.run where run.worker_id = worker.id)`,
};

/** Frees the runs of workers that have fallen silent; returns their ids, 500 at the most. */
export async function takeOverLostRuns(db: Db): Promise<string[]> {
  const rows = await db.query<{ id: string }>(takeOverStatement, [MAX_LOST_CLAIMS, RUNS_PER_SWEEP, POISONOUS]);
  if (rows.length < RUNS_PER_SWEEP) await db.query(buryStatement, []);
  return rows.map((row) => row.id);
}
