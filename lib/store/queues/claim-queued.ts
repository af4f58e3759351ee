import type { Db, Statement } from "../db";
import { AMONG } from "../runs-by-id";
import { CLAIMED, type ClaimedRow, type ClaimedRun, claimedRun, takenBy } from "../workers/claim-runs";
import {
  type FittingVersions,
  fittingVersions,
  NEEDS,
  VERSION_PARAMETERS,
  versionValues,
} from "../workflows/fitting-versions";
import {
  firstFittingLanes,
  GOES_ON,
  goesOn,
  laneOf,
  NEVER_BEGUN,
  nextPriority,
  type QueuedWorkflow,
  specOf,
  WORKFLOW_PARAMETERS,
  workflowValues,
} from "./queue-facts";
import { type OpenWorkflow, totalOf } from "./queue-totals";

/** Queues checked by one claim. */
const LANES_PER_CLAIM = 50;

/** A queue whose row this transaction holds. */
export interface Lane {
  workflow: string;
  key: string;
}

/*
 * Queues with something ready that the worker's versions fit, the highest priority first, those of one priority in
 * turns. Only the holder of a queue's row gives its slots away, so that a count stays true until the commit. The count
 * is a separate statement: one that began before the lock was granted would not see what the last holder gave away.
 */
const lockStatement: Statement = {
  name: "lock-queue-lanes",
  text: `
    with me as (
      select id from handrail.worker
      where id = $1::bigint and stopped_at is null and lease_expires_at > clock_timestamp()
      for key share
    ), ${fittingVersions(5)}, candidate as materialized (
      select found.* from unnest($2::text[], $4::int[]) as given (workflow, least)
      cross join lateral (
        select lane.workflow, lane.key, lane.priority, lane.turn
        from ${firstFittingLanes("given.workflow", "lane.ready and lane.priority >= given.least", "lane.priority desc, lane.turn", "$3::int * 4")} as lane
        union all
        select lane.workflow, lane.key, lane.priority, lane.opens_at
        from ${firstFittingLanes("given.workflow", "lane.opens_at <= (select now from instant)", "lane.opens_at", "$3::int * 4")} as lane
      ) as found
      where exists (select from me)
      order by found.priority desc, found.turn limit $3::int * 4
    ), locked as (
      select lane.workflow, lane.key from handrail.queue_lane as lane join candidate using (workflow, key)
      where coalesce(lane.ready or lane.opens_at <= clock_timestamp(), false)
      order by candidate.priority desc, candidate.turn
      limit $3::int
      for no key update of lane skip locked
    )
    select workflow, key, "anyFit" from (select exists (select from candidate)) as found ("anyFit") left join locked on true`,
};

/**
 * Locks the queues for a claim of `limit` runs; those that other workers hold are left to them, and `anyFit` reports
 * it.
 */
export async function lockLanes(
  tx: Db,
  workerId: number,
  workflows: readonly OpenWorkflow[],
  limit: number,
  fitting: FittingVersions,
): Promise<{ lanes: Lane[]; anyFit: boolean }> {
  const rows = await tx.query<{ anyFit: boolean } & (Lane | { workflow: null })>(lockStatement, [
    workerId,
    workflows.map(({ workflow }) => workflow),
    Math.min(limit, LANES_PER_CLAIM),
    workflows.map(({ least }) => least),
    ...versionValues(fitting),
  ]);
  return {
    lanes: rows.flatMap((row) => (row.workflow === null ? [] : [{ workflow: row.workflow, key: row.key }])),
    anyFit: rows.some(({ anyFit }) => anyFit),
  };
}

const VERSIONS_AT = 3 + WORKFLOW_PARAMETERS;
const AT = VERSIONS_AT + VERSION_PARAMETERS;

/** The lowest version above `low` that runs of a queue need, of a range `fits` of vacant versions. */
const nextNeeded = (low: string) => `(
        (select ${NEEDS} as needs from handrail.run
        where run.workflow = fits.workflow and run.queue_key = fits.key and not fits.begun and ${NEVER_BEGUN}
          and ${NEEDS} > ${low} and ${NEEDS} < fits.high order by ${NEEDS} limit 1)
        union all
        (select ${NEEDS} from handrail.run
        where run.workflow = fits.workflow and run.queue_key = fits.key and fits.begun and ${GOES_ON}
          and ${NEEDS} > ${low} and ${NEEDS} < fits.high order by ${NEEDS} limit 1)
      )`;

/*
 * Guarantee: no queue has more owned runs than its limit, and no more runs of it begin in any period than its rate,
 * however many workers claim: both are counted under the queue's lock, from the runs; the limits over all queues of a
 * workflow, under the workflow's lock. Races with: all other holders of a run's row (skip locked, and the condition is
 * checked again on it, the queue and the version included: a debounced start may have moved the run). Runs that have
 * begun go first, then the highest priority; a long queue shares the claim with the other ones, place by place.
 */
const takeStatement: Statement = {
  name: "take-from-queues",
  text: `
    with recursive ${specOf(3)}, ${laneOf(AT)}, ${totalOf(AT)}, ${fittingVersions(VERSIONS_AT)}, needed as (
      select fits.workflow, fits.key, fits.begun, fits.high, next.needs
      from (select vacant.*, lane.key from vacant join lane using (workflow)) as fits cross join lateral ${nextNeeded("fits.low")} as next
      union all
      select fits.workflow, fits.key, fits.begun, fits.high, next.needs
      from needed as fits cross join lateral ${nextNeeded("fits.needs")} as next
    ), fits as (
      select lane.workflow, lane.key, kind.begun, sign * own.version as needs
      from lane join own using (workflow), (values (false), (true)) as kind (begun), (values (1), (-1)) as way (sign)
      union all
      select workflow, key, begun, needs from needed
    ), candidate as (
      select * from (
        select found.*, lane.workflow, lane.key,
          row_number() over (partition by lane.workflow order by found.begun desc, found.priority desc, found.place, found.id) as of_all,
          row_number() over (partition by lane.workflow, found.begun order by found.priority desc, found.place, found.id) as of_these
        from lane cross join lateral (
          select either.*, row_number() over (order by begun desc, priority desc, id) as place from (
            select head.*, fits.begun, fits.needs,
              row_number() over (partition by fits.begun order by head.priority desc, head.id) as of_kind
            from fits cross join lateral (
              (select run.id, run.priority, run.revision from handrail.run
              where run.workflow = lane.workflow and run.queue_key = lane.key and ${NEEDS} = fits.needs and fits.begun and ${GOES_ON}
              order by run.priority desc, run.id limit greatest(least(lane.slots, $2::int), 0))
              union all
              (select run.id, run.priority, run.revision from handrail.run
              where run.workflow = lane.workflow and run.queue_key = lane.key and ${NEEDS} = fits.needs and not fits.begun and ${NEVER_BEGUN}
              order by run.priority desc, run.id limit greatest(least(lane.slots, lane.starts, $2::int), 0))
            ) as head
            where fits.workflow = lane.workflow and fits.key = lane.key
          ) as either
          where begun or of_kind <= lane.starts
          order by begun desc, priority desc, id limit greatest(lane.slots, 0)
        ) as found
        where lane.open_now
      ) as placed join total using (workflow)
      where of_all <= slots_of_all and (begun or of_these <= starts_of_all)
      order by begun desc, priority desc, place, id
      limit $2::int
    ), taken as (
      select run.id, run.workflow from handrail.run join candidate using (id)
      where ${AMONG("candidate")} and coalesce(run.revision = candidate.revision and run.workflow = candidate.workflow and run.queue_key = candidate.key and run.worker_id is null
        and run.due_at is null and (run.status = 'pending' or run.waiting_kind = 'slot')
        and (run.started_at is not null) = candidate.begun and ${NEEDS} = candidate.needs, false)
      for no key update of run skip locked
    ), claimed as (
      ${takenBy("$1")}
      from taken join spec as given using (workflow)
      where ${AMONG("taken")} and run.id = taken.id
      returning run.*
    )
    select (select (extract(epoch from window_closes - clock_timestamp()) * 1000)::float8 from spec
        where spec.workflow = claimed.workflow) as "windowEndsInMs", ${CLAIMED}
    from claimed`,
};

/** Takes at most `limit` runs from the locked queues, as many as their limits allow. */
export async function takeFromLanes(
  tx: Db,
  workerId: number,
  workflows: readonly QueuedWorkflow[],
  lanes: readonly Lane[],
  limit: number,
  fitting: FittingVersions,
): Promise<ClaimedRun[]> {
  const rows = await tx.query<ClaimedRow>(takeStatement, [
    workerId,
    limit,
    ...workflowValues(workflows),
    ...versionValues(fitting),
    ...laneValues(lanes),
  ]);
  return rows.map(claimedRun);
}

/*
 * The state in which the claim leaves its queues. Empty: no row. Full: closed until a note says that a slot was
 * released. No run to continue while the intake is closed: until a note says that it is open. Out of its window or its
 * rate: closed until that instant. Otherwise ready, behind the others of its priority.
 */
const settleStatement: Statement = {
  name: "settle-queue-lanes",
  text: `
    with ${specOf(2)}, ${laneOf(2 + WORKFLOW_PARAMETERS)}, looked as (
      select lane.*, goes_on, next_priority,
        case when not open_now then window_opens
          when slots <= 0 or (closed and not goes_on) then null
          when starts <= 0 and not goes_on then (
            select run.started_at + lane.rate_per from handrail.run
            where run.workflow = lane.workflow and run.queue_key = lane.key and run.started_at is not null
            order by run.started_at desc offset lane.rate_limit - 1 limit 1)
        end as opens_at
      from lane cross join lateral (
        select
          ${goesOn("lane.workflow", "lane.key")} as goes_on,
          ${nextPriority("lane.workflow", "lane.key")} as next_priority
      ) as head
    ), emptied as (
      delete from handrail.queue_lane using looked
      where queue_lane.workflow = looked.workflow and queue_lane.key = looked.key
        and not goes_on and next_priority is null
    )
    update handrail.queue_lane set
      ready = open_now and slots > 0 and looked.opens_at is null and (goes_on or not closed),
      opens_at = looked.opens_at, turn = clock_timestamp(),
      priority = case when goes_on then 101 else next_priority end
    from looked
    where queue_lane.workflow = looked.workflow and queue_lane.key = looked.key
      and (goes_on or next_priority is not null)`,
};

/** The last statement of a claim from queues, in its transaction. */
export async function settleLanes(
  tx: Db,
  workerId: number,
  workflows: readonly QueuedWorkflow[],
  lanes: readonly Lane[],
): Promise<void> {
  await tx.query(settleStatement, [workerId, ...workflowValues(workflows), ...laneValues(lanes)]);
}

const laneValues = (lanes: readonly Lane[]) => [lanes.map(({ workflow }) => workflow), lanes.map(({ key }) => key)];
