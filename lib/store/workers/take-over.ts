import type { Db, Statement } from "../db";
import { lookAfterStop } from "../queues/lanes-after-stop";
import { giveTurns, keptUntil, wentOnSince } from "./suspects";

/** Bounded, so that a sweep after a large outage leaves capacity for other work. */
const RUNS_PER_SWEEP = 500;

/*
 * Guarantee: a run leaves its worker only after that worker's lease has ended by the database's clock, and the new
 * epoch fences the old owner at that instant. Races with: the same sweep in other processes (skip locked, and the lease
 * is compared again), the worker's own last flush (one of the two locks the row first; the other finds nothing). The
 * runs become claimable by any worker; what was running then is recorded by `lost_claim` and by the steps' start marks.
 * One of them may have ended the worker: those that were lost most often in a row without progress are suspects, and
 * come back in turns (suspects.ts); the others at once. The worker's remaining runs in the next sweep are compared with
 * what this one found.
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
      limit $1::int
      for no key update of run skip locked
    ), counted as (
      select lost.*, case when ${wentOnSince("lost.id", "before.at")} then 1 else lost.lost_claims + 1 end as losses
      from lost, lateral (select max(lost_at) as at from (select lost_at from handrail.lost_claim where run_id = lost.id offset 0) as own) before
    ), compared as (
      select counted.*, counted.losses >= greatest(max(counted.losses) over (partition by worker_id), known.losses) as suspect
      from counted left join (select worker_id, max(losses) as losses from handrail.suspect group by worker_id) as known using (worker_id)
    ), judged as (
      select *, count(*) filter (where suspect) over (partition by worker_id) as suspects from compared
    ), recorded as (
      insert into handrail.lost_claim (run_id, epoch, worker_id, suspects)
      select id, epoch, worker_id, case when suspect then suspects end from judged
    ), suspected as (
      insert into handrail.suspect (run_id, worker_id, losses, suspects, turn_at)
      select id, worker_id, losses, greatest(suspects, 1), case when not suspect or pauses then clock_timestamp() end from judged
      on conflict (run_id) do update set worker_id = excluded.worker_id, losses = excluded.losses, suspects = excluded.suspects,
        lost_at = excluded.lost_at, turn_at = excluded.turn_at
    )
    update handrail.run set
      epoch = run.epoch + 1, revision = run.revision + 1, worker_id = null, lost_claims = judged.losses,
      status = case when judged.status = 'compensating' then 'compensating' when judged.pauses then 'paused' else 'pending' end,
      due_at = case when judged.pauses then null when judged.suspect then ${keptUntil("judged.losses", "judged.suspects")}
        when judged.status = 'compensating' then clock_timestamp() end,
      waiting_kind = null, waiting_step = null, waiting_since = null, attention = null,
      pause_requested_at = case when judged.pauses then judged.pause_requested_at end,
      pause_root = case when judged.pauses then run.pause_root end,
      -- A run whose end was requested needs no certain version to end.
      chosen_version = case when run.cancel_requested_at is null then run.chosen_version end
    from judged where run.id = judged.id
    returning run.id::text`,
};

/*
 * Closes a silent worker whose runs are all taken over, so that sweeps read only live ones. It cannot come back: its
 * beat finds no open row. The lock is a separate statement: a claim that this worker began in time holds its row until
 * it is committed, and only a later statement sees what was claimed.
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
    if (silent.length === 0) return;
    const ids = silent.map(({ id }) => id);
    await tx.query(buryStatement, [ids]);
    await lookAfterStop(tx, ids);
  });
}

/**
 * Frees the runs of silent workers, 500 at most; some of them wait for their turn. Returns their ids, and those of runs
 * that are excluded from claims from now on. `onFreed` hears of them before that, if there are any: whoever waits for them comes
 * first, and the closing of the silent workers after it; a process that dies in between leaves that to the next one.
 */
export async function takeOverLostRuns(
  db: Db,
  onFreed: (runIds: string[]) => void = () => undefined,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(takeOverStatement, [RUNS_PER_SWEEP]);
  const { poisonous } = rows.length > 0 ? await giveTurns(db) : { poisonous: [] };
  const freed = [...new Set([...rows.map((row) => row.id), ...poisonous])];
  if (freed.length > 0) onFreed(freed);
  if (rows.length < RUNS_PER_SWEEP) await buryWorkers(db);
  return freed;
}
