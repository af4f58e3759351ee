import { cutOff, keepCutOff, WORKER_LOST } from "./cut-off-steps";
import type { Db, Statement } from "./db";

/** A run whose worker has died under it this often, without a step's or an undo's end in between, waits for a person. */
export const MAX_LOST_CLAIMS = 5;

/** From this many losses in a row on, runs that were lost together come back apart. */
const SUSPECT_FROM = 2;

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
 * The runs become claimable by anybody; what was running then is told by `lost_claim` and by the steps' start marks. A
 * poisonous run is claimed by nobody: its steps in doubt, or the undo that it died under, wait for a person with it.
 */
const takeOverStatement: Statement = {
  name: "take-over",
  text: `
    with lost as (
      -- What is asked of a run is read here, under its lock: see record-statement.ts.
      select run.id, run.epoch, run.worker_id, run.status, run.lost_claims, run.pause_requested_at,
        run.pause_requested_at is not null and run.cancel_requested_at is null as pauses
      from handrail.worker join handrail.run on run.worker_id = worker.id
      where worker.stopped_at is null and worker.lease_expires_at < clock_timestamp()
      limit $2::int
      for no key update of run skip locked
    ), counted as (
      select lost.id, lost.status, lost.pauses, lost.pause_requested_at, case when exists (
          select from handrail.step where step.run_id = lost.id and step.finished_at > before.at
          union all
          select from handrail.compensation where compensation.run_id = lost.id and compensation.finished_at > before.at
        ) then 1 else lost.lost_claims + 1 end as lost_claims
      from lost, lateral (select max(lost_at) as at from handrail.lost_claim where run_id = lost.id) before
    ), judged as (
      select *, lost_claims >= $1::int as poisonous,
        case when lost_claims >= $5::int then clock_timestamp()
          + least(row_number() over (order by random()) * 0.25 * 4 ^ (lost_claims - $5::int), 60) * interval '1 s' end as apart
      from counted
    ), told as (
      insert into handrail.lost_claim (run_id, epoch, worker_id)
      select id, epoch, worker_id from lost
    ), cut_off as (
      update handrail.step set ${cutOff("$4")}
      from judged
      where judged.poisonous and judged.status <> 'compensating'
        and step.run_id = judged.id and step.status = 'running' and step.superseded_by is null
      returning step.*
    ), kept as (${keepCutOff("cut_off", "$4")}
    ), undo_failed as (
      update handrail.compensation set status = 'failed', error = $3, next_attempt_at = null
      from judged, lateral (
        select step, generation, mode from handrail.compensation as open
        where open.run_id = judged.id and open.status in ('owed', 'running') order by open.position desc limit 1
      ) as next
      where judged.poisonous and judged.status = 'compensating' and next.mode = 'automatic'
        and compensation.run_id = judged.id and compensation.step = next.step and compensation.generation = next.generation
      returning compensation.run_id, compensation.step
    )
    update handrail.run set
      epoch = run.epoch + 1, revision = run.revision + 1, worker_id = null, lost_claims = judged.lost_claims,
      status = case when judged.status = 'compensating' then 'compensating' when judged.poisonous then 'failed'
        when judged.pauses then 'paused' else 'pending' end,
      due_at = case when judged.poisonous or judged.pauses then null when judged.status = 'compensating' then coalesce(apart, clock_timestamp())
        else apart end,
      waiting_kind = case when judged.status = 'compensating' and judged.poisonous then 'operator' end,
      waiting_step = (select step from undo_failed where undo_failed.run_id = run.id),
      waiting_since = case when judged.status = 'compensating' and judged.poisonous then clock_timestamp() end,
      attention = case when not judged.poisonous then null
        when judged.status = 'compensating' then 'compensation_owed'
        when exists (select from cut_off where cut_off.run_id = run.id and cut_off.status = 'unknown')
          or exists (select from handrail.step
            where step.run_id = run.id and step.status = 'unknown' and step.superseded_by is null) then 'outcome_unknown'
        else 'failed' end,
      error = case when judged.poisonous and judged.status <> 'compensating' then $3 else run.error end,
      finished_at = case when judged.poisonous and judged.status <> 'compensating' then clock_timestamp() end,
      pause_requested_at = case when judged.pauses and not judged.poisonous then judged.pause_requested_at end,
      pause_root = case when judged.pauses and not judged.poisonous then run.pause_root end
    from judged where run.id = judged.id
    returning run.id::text`,
};

/*
 * A silent worker whose runs are all taken over is closed, so that sweeps look at the living. It cannot come back: its
 * beat finds no open row. The lock comes in a statement of its own: a claim that this worker began in time holds its row
 * until it is committed, and only a statement that begins after that sees what was claimed.
 */
const lockSilentStatement: Statement = {
  name: "lock-silent-workers",
  text: `
    select id from handrail.worker where stopped_at is null and lease_expires_at < clock_timestamp()
    for update skip locked`,
};

const buryStatement: Statement = {
  name: "bury-workers",
  text: `
    update handrail.worker set stopped_at = clock_timestamp(), running = 0
    where id = any ($1::bigint[]) and not exists (select from handrail.run where run.worker_id = worker.id)`,
};

function buryWorkers(db: Db): Promise<void> {
  return db.transaction(async (tx) => {
    const silent = await tx.query<{ id: number }>(lockSilentStatement, []);
    if (silent.length > 0) await tx.query(buryStatement, [silent.map(({ id }) => id)]);
  });
}

/** Frees the runs of workers that have fallen silent; returns their ids, 500 at the most. */
export async function takeOverLostRuns(db: Db): Promise<string[]> {
  const rows = await db.query<{ id: string }>(takeOverStatement, [
    MAX_LOST_CLAIMS,
    RUNS_PER_SWEEP,
    POISONOUS,
    WORKER_LOST,
    SUSPECT_FROM,
  ]);
  if (rows.length < RUNS_PER_SWEEP) await buryWorkers(db);
  return rows.map((row) => row.id);
}
