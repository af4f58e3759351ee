import type { Db, Statement } from "../db";
import { cutOff, keepCutOff, TO_BE_CUT_OFF, WORKER_LOST } from "../steps/cut-off-steps";

/** A run lost this often as the only possible cause, without progress in between, needs attention. */
export const MAX_LOST_CLAIMS = 5;

/** Equally suspect runs come back in this many groups, one after the other. */
const GROUPS = 8;

/** From this many losses in a row on, runs of different workers take turns too: they would end each other's workers. */
const ONE_CLASS_FROM = 3;

const POISONOUS = JSON.stringify({
  name: "PoisonousRun",
  code: "poisonous_run",
  message: `The worker was lost ${MAX_LOST_CLAIMS} times in a row while it executed this run, and every other run that was lost with it has continued since. No worker claims this run until an operator reruns it.`,
});

/** A run has made progress if a step or compensation ended after the loss; a claim's end sets its losses to 0. */
export const wentOnSince = (run: string, lostAt: string) => `exists (
          select from handrail.step where step.run_id = ${run} and step.finished_at > ${lostAt}
          union all
          select from handrail.compensation where compensation.run_id = ${run} and compensation.finished_at > ${lostAt}
        )`;

/**
 * How long the runs after one with so many losses wait for its progress, and how long it waits for those with fewer
 * losses: 150 ms, 0.6 s, 2.4 s, 10 s, 38 s, 2.5 minutes, 10 minutes at most.
 */
const patience = (losses: string) => `0.15 * 4 ^ (least(${losses}, 7) - 1) * interval '1 s'`;

/**
 * Until when a suspect is excluded from ordinary claims. It bounds the time for which an innocent run waits for its
 * turn, and lets workers without support for turns claim it. Only a run that is the sole suspect waits longer.
 */
export const keptUntil = (losses: string, suspects: string) =>
  `clock_timestamp() + greatest(interval '1 min', case when ${suspects} = 1 then ${patience(losses)} end)`;

/** When a suspect's turn may come, for reads of the next work. */
export const EXPECTED_TURN = `least(run.due_at, suspect.lost_at + ${patience("suspect.losses")})`;

/** A lost run that waits for its turn; a paused or claimed one does not. */
const WAITS = `coalesce(run.worker_id is null and run.due_at is not null and run.status in ('pending', 'compensating'), false)`;

/** Whether a lost run is poisonous by its losses so far; $1 is the required number of losses. */
const isPoisonous = (lostAt: string) => `coalesce(run.lost_claims >= $1::int, false)
        and not ${wentOnSince("run.id", lostAt)}
        and (
          select count(*) from (
            select * from handrail.lost_claim as own where own.run_id = run.id order by epoch desc limit run.lost_claims
          ) as loss
          where loss.suspects = 1 and not exists (
            select from handrail.lost_claim as other join handrail.run as beside on beside.id = other.run_id
            where other.worker_id = loss.worker_id and other.run_id <> loss.run_id and beside.lost_claims > 0
              and not ${wentOnSince("beside.id", "other.lost_at")})
        ) >= $1::int`;

/*
 * Guarantee: only losses count whose only possible cause is this run: it had been lost more often than all that were
 * lost with it, and each of them has made progress since. A run lost together with others is not judged by their
 * losses. Races with: operators' actions (skip locked, and the condition is checked again on the locked row), the same
 * round elsewhere (one finds it ended). A poisonous run is not claimable: its unknown steps, or the compensation that
 * was running, wait for an operator with it.
 */
const failPoisonousStatement: Statement = {
  name: "fail-poisonous",
  text: `
    with poisonous as (
      select run.id, run.status from handrail.suspect join handrail.run on run.id = suspect.run_id
      where suspect.turn_at is null and ${WAITS} and ${isPoisonous("suspect.lost_at")}
      for no key update of run skip locked
    ), judged as (
      delete from handrail.suspect using poisonous where suspect.run_id = poisonous.id
    ), cut_off as (
      update handrail.step set ${cutOff("$3")}
      from poisonous
      where poisonous.status <> 'compensating'
        and step.run_id = poisonous.id and ${TO_BE_CUT_OFF}
      returning step.*
    ), kept as (${keepCutOff("cut_off", "$3")}
    ), undo_failed as (
      update handrail.compensation set status = 'failed', error = $2, next_attempt_at = null
      from poisonous, lateral (
        select step, generation, mode from handrail.compensation as open
        where open.run_id = poisonous.id and open.status in ('owed', 'running') order by open.position desc limit 1
      ) as next
      where poisonous.status = 'compensating' and next.mode = 'automatic'
        and compensation.run_id = poisonous.id and compensation.step = next.step and compensation.generation = next.generation
      returning compensation.run_id, compensation.step
    )
    update handrail.run set
      epoch = run.epoch + 1, revision = run.revision + 1, due_at = null, cancel_requested_at = null,
      status = case when poisonous.status = 'compensating' then 'compensating' else 'failed' end,
      waiting_kind = case when poisonous.status = 'compensating' then 'operator' end,
      waiting_step = (select step from undo_failed where undo_failed.run_id = run.id),
      waiting_since = case when poisonous.status = 'compensating' then clock_timestamp() end,
      attention = case when poisonous.status = 'compensating' then 'compensation_owed'
        when exists (select from cut_off where cut_off.run_id = run.id and cut_off.status = 'unknown')
          or exists (select from handrail.step
            where step.run_id = run.id and step.status = 'unknown' and step.superseded_by is null) then 'outcome_unknown'
        else 'failed' end,
      error = case when poisonous.status <> 'compensating' then $2 else run.error end,
      finished_at = case when poisonous.status <> 'compensating' then clock_timestamp() end
    from poisonous where run.id = poisonous.id
    returning run.id::text`,
};

/*
 * Guarantee: of equally suspect runs (of one lost worker, lost equally often), one group is in progress at a time,
 * after those that were lost less often; but no wait is longer than the patience of the waiting run. Two rounds at once
 * choose the same runs from the same rows: one of them finds them gone. A poisonous run gets no turn: its last loss may
 * have been recorded since this round searched for such runs; the next round fails it. Races with: claims and
 * operators' actions (skip locked, and the condition is checked again on the locked row). The groups depend on the lost
 * worker, so that the same runs do not meet each time.
 */
const giveTurnsStatement: Statement = {
  name: "give-turns",
  text: `
    with cleared as (
      delete from handrail.suspect using handrail.run
      where run.id = suspect.run_id
        and (run.lost_claims = 0 or run.finished_at is not null or ${wentOnSince("run.id", "suspect.lost_at")})
      returning suspect.run_id
    ), standing as (
      select suspect.*, turn_at is null and ${WAITS} as waits from handrail.suspect join handrail.run on run.id = suspect.run_id
      where suspect.run_id not in (select run_id from cleared)
    ), level as (
      select losses from (select distinct losses from standing where waits) as given
      where not exists (select from standing as other where other.losses < given.losses
        and (other.waits or other.turn_at > clock_timestamp() - ${patience("given.losses")}))
    ), placed as (
      select run_id, suspects, losses, lost_at, waits,
        row_number() over (partition by class, losses, waits order by md5(run_id::text || worker_id)) as place,
        count(*) filter (where turn_at > clock_timestamp() - ${patience("losses")}) over (partition by class, losses) as under_way
      from (select *, case when losses < ${ONE_CLASS_FROM} then worker_id end as class from standing) as classed
    ), next as (
      select run.id, run.status from placed join handrail.run on run.id = placed.run_id
      where placed.waits and losses in (select losses from level)
        and under_way + place <= ceil(suspects / ${GROUPS}.0) and ${WAITS} and not (${isPoisonous("placed.lost_at")})
      for no key update of run skip locked
    ), turn as (
      update handrail.suspect set turn_at = clock_timestamp() from next where suspect.run_id = next.id
    ), let_go as (
      update handrail.run set revision = revision + 1, due_at = case when next.status = 'compensating' then clock_timestamp() end
      from next where run.id = next.id
      returning run.id
    )
    select array(select id::text from let_go) as back,
      (select count(*) from standing where waits) > (select count(*) from let_go) as waiting`,
};

export interface Turns {
  /** Ids of the runs that may be claimed again. */
  back: string[];
  /** Ids of the runs that are excluded from claims from now on. */
  poisonous: string[];
  /** Others wait for their turn: run another round soon. */
  waiting: boolean;
}

/** One round: judges the lost runs, and makes those claimable whose turn it is. */
export async function giveTurns(db: Db): Promise<Turns> {
  const poisonous = await db.query<{ id: string }>(failPoisonousStatement, [MAX_LOST_CLAIMS, POISONOUS, WORKER_LOST]);
  const [row] = await db.query<Omit<Turns, "poisonous">>(giveTurnsStatement, [MAX_LOST_CLAIMS]);
  return { ...(row as Omit<Turns, "poisonous">), poisonous: poisonous.map(({ id }) => id) };
}
