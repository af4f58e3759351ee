import type { Db, Statement } from "../db";
import { AMONG } from "../runs-by-id";
import { GOES_FIRST, goesOn, nextPriority } from "./queue-facts";

/** Notes processed in one round, and timers that one round lets into their queues. */
const NOTES_PER_ROUND = 1_000;
const TIMERS_PER_ROUND = 500;

/*
 * Guarantee: once no writer of notes is left, every queue with a run has a lane that is ready, or has a time for the
 * next check, or has all its slots held. Races with: claims, which hold a lane's row while they check. This waits for
 * them, and sees what they left: a claim that checked before the note was written leaves the lane closed, and it is
 * opened again here; one that locks the lane afterwards sees the note's writer. The same holds of the limits over all
 * keys, whichever code has them. All callers here write in one order: queues, then those (hence the count, which ends
 * the writing of queues).
 */
const openStatement: Statement = {
  name: "open-queue-lanes",
  text: `
    with note as (
      delete from handrail.queue_note where id in (
        select id from handrail.queue_note where workflow = any ($1::text[])
        order by id limit ${NOTES_PER_ROUND} for update skip locked)
      returning workflow, key
    ), noted as (
      select distinct workflow, key from note
    ), opened as (
      insert into handrail.queue_lane as lane (workflow, key, priority)
      select noted.workflow, noted.key, head.priority
      from noted cross join lateral (
        select max(priority) as priority from (
          select ${GOES_FIRST} as priority where ${goesOn("noted.workflow", "noted.key")}
          union all
          select ${nextPriority("noted.workflow", "noted.key")}
        ) as first
      ) as head
      where head.priority is not null
      order by noted.workflow, noted.key
      on conflict (workflow, key) do update
        set ready = true, opens_at = null, priority = greatest(lane.priority, excluded.priority)
        where not lane.ready or lane.priority < excluded.priority
      returning 1
    ), opened_total as (
      insert into handrail.queue_total as total (workflow)
      select distinct noted.workflow from noted
      where (noted.workflow = any ($2::text[]) or exists (select from handrail.queue_total as known where known.workflow = noted.workflow))
        and (select count(*) from opened) >= 0
      order by noted.workflow
      on conflict (workflow) do update set "full" = false, starts_at = null where total."full" or total.starts_at is not null
      returning workflow
    ), given as (
      select given.workflow, total.starts_at from unnest($1::text[]) as given (workflow)
      left join handrail.queue_total as total on total.workflow = given.workflow and total.workflow = any ($2::text[])
      where total."full" is not true
    )
    select
      (select count(*)::int from note) as notes,
      exists (select from opened)
        or exists (select from opened_total join handrail.queue_lane as lane using (workflow) where lane.ready)
        or exists (select from given where coalesce(starts_at <= clock_timestamp(), true)
          and exists (select from handrail.queue_lane as lane where lane.workflow = given.workflow and lane.ready))
        or exists (select from given where starts_at is not null and exists (
          select from handrail.queue_lane as lane
          where lane.workflow = given.workflow and lane.ready and lane.priority >= ${GOES_FIRST}))
        or opening.at <= clock_timestamp() as open,
      coalesce(timer.at <= clock_timestamp(), false) as "timersDue",
      (extract(epoch from least(opening.at, timer.at) - clock_timestamp()) * 1000)::float8 as "nextInMs"
    from (
      select min(head.opens_at) as at from given
      cross join lateral (
        (select opens_at from handrail.queue_lane
        where queue_lane.workflow = given.workflow and opens_at is not null order by opens_at limit 1)
        union all
        select given.starts_at where given.starts_at > clock_timestamp()
      ) as head
    ) as opening, (
      select min(head.due_at) as at from unnest($1::text[]) as given (workflow)
      cross join lateral (
        select due_at from handrail.run
        where run.workflow = given.workflow and run.queue_key is not null and run.due_at is not null order by due_at limit 1
      ) as head
    ) as timer`,
};

interface OpenLanes {
  /** Some queue may let a run through. */
  open: boolean;
  /** More notes or due timers: another round is due at once. */
  more: boolean;
  /** Until the next queue opens or the next timer is due, in milliseconds; null when neither is to come. */
  nextInMs: number | null;
}

/**
 * Processes notes of runs that entered a queue or left a slot, and returns whether a claim is worthwhile.
 * @param withTotal those of the workflows that have limits over all of their keys
 */
export async function openLanes(
  db: Db,
  workflows: readonly string[],
  withTotal: readonly string[],
): Promise<OpenLanes> {
  const [row] = await db.query<{ notes: number; open: boolean | null; timersDue: boolean; nextInMs: number | null }>(
    openStatement,
    [workflows, withTotal],
  );
  const { notes, open, timersDue, nextInMs } = row as NonNullable<typeof row>;
  if (timersDue) await enterQueues(db, workflows);
  return { open: open ?? false, more: timersDue || notes === NOTES_PER_ROUND, nextInMs };
}

/*
 * A run whose timer is due joins its queue: being woken is no reason to pass the others. Races with: operators' actions
 * and debounced starts, which hold the row (left out; the condition is checked again on the locked row).
 */
const enterStatement: Statement = {
  name: "enter-queues",
  text: `
    with candidate as (
      select timed.id from unnest($1::text[]) as given (workflow)
      cross join lateral (
        select run.id from handrail.run
        where run.workflow = given.workflow and run.queue_key is not null and run.due_at <= (select clock_timestamp())
        order by run.due_at limit ${TIMERS_PER_ROUND}
      ) as timed
    ), due as (
      select run.id from handrail.run
      where ${AMONG("candidate")} and coalesce(run.due_at <= clock_timestamp() and run.queue_key is not null, false)
      limit ${TIMERS_PER_ROUND}
      for no key update of run skip locked
    )
    update handrail.run set
      due_at = null, revision = revision + 1,
      waiting_kind = case when status <> 'pending' then 'slot' end,
      waiting_since = case when status <> 'pending' then clock_timestamp() end
    where ${AMONG("due")}`,
};

async function enterQueues(db: Db, workflows: readonly string[]): Promise<void> {
  await db.query(enterStatement, [workflows]);
}

const lookAgainStatement: Statement = {
  name: "look-again-at-queues",
  text: `insert into handrail.queue_note (workflow, key) select workflow, key from handrail.queue_lane where workflow = $1
    and ($2::timestamptz is null or turn >= $2::timestamptz)`,
};

/**
 * The reason that closed a workflow's queues may be gone. Notes block no run, however many queues there are. `since`:
 * only those that a claim has left, or that were made, from that instant on.
 */
export async function lookAgainAtQueues(tx: Db, workflow: string, since: Date | null = null): Promise<void> {
  await tx.query(lookAgainStatement, [workflow, since]);
}
