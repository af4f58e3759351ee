import type { Limits } from "../../engine/queues/queue";
import { type Column, givenRows, givenValues } from "../given-rows";
import { NEEDS } from "../workflows/fitting-versions";

/** A workflow as a claim from queues needs it. */
export interface QueuedWorkflow {
  name: string;
  timeoutMs: number | undefined;
  /** The code's limits; without any, runs that are still in its queues are unlimited. */
  limits: Limits | null;
}

const COLUMNS: readonly Column<QueuedWorkflow>[] = [
  ["workflow", "text", ({ name }) => name],
  ["timeout_ms", "float8", ({ timeoutMs }) => timeoutMs ?? null],
  ["concurrency", "int", ({ limits }) => limits?.concurrency ?? null],
  ["rate_limit", "int", ({ limits }) => limits?.rate?.limit ?? null],
  ["rate_per_ms", "float8", ({ limits }) => limits?.rate?.perMs ?? null],
  ["total", "int", ({ limits }) => limits?.total ?? null],
  ["total_rate_limit", "int", ({ limits }) => limits?.totalRate?.limit ?? null],
  ["total_rate_per_ms", "float8", ({ limits }) => limits?.totalRate?.perMs ?? null],
  ["opens", "time", ({ limits }) => limits?.window?.from ?? null],
  ["closes", "time", ({ limits }) => limits?.window?.to ?? null],
  ["zone", "text", ({ limits }) => limits?.window?.timeZone ?? null],
];

export const workflowValues = (workflows: readonly QueuedWorkflow[]) => givenValues(COLUMNS, workflows);
export const WORKFLOW_PARAMETERS = COLUMNS.length;

/** The priority of a queue with a run to continue: above any other, since runs that have begun are finished first. */
export const GOES_FIRST = 101;

/** Runs that have never begun, in the index `run_queued_new`. */
export const NEVER_BEGUN = `run.queue_key is not null and run.status = 'pending' and run.due_at is null and run.started_at is null`;
/** Runs to continue, in the index `run_queued_begun`. */
export const GOES_ON = `run.queue_key is not null and (run.status = 'pending' or run.waiting_kind = 'slot')
            and run.due_at is null and run.started_at is not null`;

/**
 * The highest priority of the runs in a queue that have never begun: the heads of its versions, a step along the index
 * for each.
 */
export const nextPriority = (workflow: string, key: string) => `(
        with recursive head as (
          (select ${NEEDS} as needs, run.priority from handrail.run
          where run.workflow = ${workflow} and run.queue_key = ${key} and ${NEVER_BEGUN}
          order by ${NEEDS}, run.priority desc, run.id limit 1)
          union all
          select next.needs, next.priority from head cross join lateral (
            select ${NEEDS} as needs, run.priority from handrail.run
            where run.workflow = ${workflow} and run.queue_key = ${key} and ${NEVER_BEGUN} and ${NEEDS} > head.needs
            order by ${NEEDS}, run.priority desc, run.id limit 1) as next
        ) select max(priority) from head)`;

/**
 * Whether a queue has a run to continue. The order is that of the queue's index: a session that keeps its plan from when the tables
 * were empty could take any other index, and read every run of the workflow.
 */
export const goesOn = (workflow: string, key: string) => `exists (select from (
            select from handrail.run where run.workflow = ${workflow} and run.queue_key = ${key} and ${GOES_ON}
            order by ${NEEDS} limit 1) as head)`;

/** Whether the queue of the row `lane` has a run of these versions: begun and new ones each along their index, and in its order. */
const standing = (versions: string, order: string) => `
            (select run.id from handrail.run where run.workflow = lane.workflow and run.queue_key = lane.key
              and ${NEVER_BEGUN} and not fits.begun and ${versions} order by ${order} limit 1)
            union all
            (select run.id from handrail.run where run.workflow = lane.workflow and run.queue_key = lane.key
              and ${GOES_ON} and fits.begun and ${versions} order by ${order} limit 1)`;

/** Whether the queue of the row `lane` has a run that the worker's versions fit, by the CTEs of `fittingVersions`. */
const HAS_FITTING = `(exists (
          select from own cross join (values (false), (true)) as fits (begun) cross join (values (1), (-1)) as way (sign)
          cross join lateral (${standing(`${NEEDS} = sign * own.version`, "run.priority desc, run.id")}
          ) as head where own.workflow = lane.workflow)
        or exists (
          select from vacant as fits cross join lateral (${standing(`${NEEDS} > fits.low and ${NEEDS} < fits.high`, NEEDS)}
          ) as head where fits.workflow = lane.workflow))`;

/**
 * The first queues of a workflow in this state that have a run which the worker's versions fit, in this order. That is
 * asked of each queue as it is read, until there are enough. The order stands in the inner query alone: given once more
 * outside, it would have PostgreSQL plan for all queues, and sort them.
 */
export const firstFittingLanes = (workflow: string, state: string, order: string, limit: string) => `(
          select lane.* from (
            select lane.* from handrail.queue_lane as lane
            where lane.workflow = ${workflow} and ${state} order by ${order} offset 0) as lane
          where ${HAS_FITTING} limit ${limit})`;

/** More than any claim takes. */
export const NO_LIMIT = 1_000_000;

/** The next instant at which the wall clock in the window's zone shows a time of day. */
const nextAt = (time: string) => `(((clock_timestamp() at time zone zone)::date
        + case when ${time} > (clock_timestamp() at time zone zone)::time then 0 else 1 end + ${time}) at time zone zone)`;

/** Whether a window is open now, by `opens`, `closes` and `zone`; without a zone it always is. */
export const OPEN_NOW = `case when zone is null then true
          when opens < closes then (clock_timestamp() at time zone zone)::time >= opens and (clock_timestamp() at time zone zone)::time < closes
          else (clock_timestamp() at time zone zone)::time >= opens or (clock_timestamp() at time zone zone)::time < closes
        end`;

/**
 * The limits of each workflow, an operator's over the code's, as a CTE `spec`; its arrays are the parameters from
 * `$first` on. `closed` and `held` are those of its intake, by the row of the worker `$1`, which the transaction holds.
 * `open_now` and the two instants are the window's, by the database's clock; without a window it is always open.
 */
export const specOf = (first: number) => `spec as (
      select bound.*, ${OPEN_NOW} as open_now,
        case when zone is not null then ${nextAt("opens")} end as window_opens,
        case when zone is not null then ${nextAt("closes")} end as window_closes
      from (
        select given.workflow, timeout_ms,
          coalesce(queue_limit.concurrency, given.concurrency) as concurrency,
          coalesce(queue_limit.rate_limit, given.rate_limit) as rate_limit,
          coalesce(queue_limit.rate_per_ms, given.rate_per_ms) * interval '1 ms' as rate_per,
          coalesce(queue_limit.total, given.total) as total,
          coalesce(queue_limit.total_rate_limit, given.total_rate_limit) as total_rate_limit,
          coalesce(queue_limit.total_rate_per_ms, given.total_rate_per_ms) * interval '1 ms' as total_rate_per,
          coalesce(queue_limit.window_from::time, given.opens) as opens,
          coalesce(queue_limit.window_to::time, given.closes) as closes,
          coalesce(queue_limit.window_zone, given.zone) as zone,
          given.workflow = any (me.closed_intakes) as closed, given.workflow = any (me.held_workflows) as held
        from ${givenRows(COLUMNS, first)}
        cross join (select closed_intakes, held_workflows from handrail.worker where id = $1::bigint) as me
        left join handrail.queue_limit on queue_limit.workflow = given.workflow
      ) as bound
    )`;

/** How many runs in queues have begun within a rate's period, up to its limit; in the order of the indexes that have them. */
export const startsWithin = (of: string, per: string, limit: string | number) => `(select count(*) from (
          select from handrail.run where ${of} and run.queue_key is not null
            and run.started_at > (select clock_timestamp()) - ${per}
          order by run.started_at desc limit ${limit}) as begun)`;

/**
 * What each of the locked queues lets through now, as a CTE `lane` over `spec`; the queues are the two arrays from
 * `$first` on. Counted from the runs themselves, so that no slot can leak: an owned run holds a slot, a recently begun
 * run has used the rate. Of a closed intake no run begins; of one that holds all runs, none continues either.
 */
export const laneOf = (first: number) => `lane as (
      select spec.*, at.key,
        case when held then 0 else coalesce(spec.concurrency - (
          select count(*) from handrail.run
          where run.workflow = at.workflow and run.queue_key = at.key and run.worker_id is not null), ${NO_LIMIT}) end as slots,
        case when closed then 0 when spec.rate_limit is null then ${NO_LIMIT} else spec.rate_limit - ${startsWithin(
          "run.workflow = at.workflow and run.queue_key = at.key",
          "spec.rate_per",
          "spec.rate_limit",
        )} end as starts
      from unnest($${first}::text[], $${first + 1}::text[]) as at (workflow, key) join spec using (workflow)
    )`;
