import { GOES_ON, NEVER_BEGUN, OPEN_NOW, startsWithin } from "../queues/queue-facts";
import type { RowInstant } from "../rows";
import { eachVersion } from "../workers/fitting-runs";
import { NEEDS } from "../workflows/fitting-versions";

/** A run's position in its queue, and what holds it back. */
export interface RunQueueRow {
  key: string;
  /** The run has begun: rates do not apply to it. */
  begun: boolean;
  /** Owned runs: of the queue, and of all queues of the workflow. */
  holding: number;
  totalHolding: number;
  /** The limits as they apply now: an operator's, or those of the newest version's code. */
  concurrency: number | null;
  rate: { limit: number; perMs: number } | null;
  total: number | null;
  totalRate: { limit: number; perMs: number } | null;
  window: { from: string; to: string; timeZone: string } | null;
  windowOpen: boolean;
  /** Runs that have begun within the rate's period: of the queue, and of all queues of the workflow. */
  started: number;
  totalStarted: number;
  /** Runs that go before it; counting stops at 1,000. */
  ahead: number;
  /** When the queue is checked next because of a rate or its window; null if that is not what it waits for. */
  opens_at: RowInstant | null;
}

const MOST_AHEAD = 1_000;
/** No limit is higher. */
const MOST_COUNTED = 10_000;

const inWorkflow = `run.workflow = me.workflow and run.queue_key is not null`;
const inQueue = `run.workflow = me.workflow and run.queue_key = me.queue_key`;
const before = `(run.priority > me.priority or (run.priority = me.priority and run.id < me.id))`;

/**
 * Of each version, the runs of the queue that go first: those before a run are the first of them, so that a long queue is not read to
 * find where it is.
 */
const firstOf = (part: string) => `(
            select head.* from ${eachVersion("me.workflow", `run.queue_key = me.queue_key and ${part}`)} as version cross join lateral (
              select run.priority, run.id from handrail.run
              where ${inQueue} and ${NEEDS} = version.needs and ${part}
              order by run.priority desc, run.id limit ${MOST_AHEAD}) as head)`;

const held = (of: string) =>
  `(select count(*) from (select from handrail.run where ${of} and run.worker_id is not null limit ${MOST_COUNTED}) as held)`;
const startedIn = (rate: string, of: string) =>
  `case when ${rate} is null then 0 else ${startsWithin(of, `(${rate} ->> 'perMs')::float8 * interval '1 ms'`, MOST_COUNTED)} end`;
const rateOf = (limit: string, perMs: string, declared: string) =>
  `case when live.${limit} is not null then jsonb_build_object('limit', live.${limit}, 'perMs', live.${perMs})
            else nullif(declared.limits -> '${declared}', 'null') end`;

/**
 * For a row of `handrail.run` named `run`: null unless it is in a queue now. Every count follows an index of the queue
 * or of the workflow's queues, and stops at a limit.
 */
export const RUN_QUEUE = `(
      select json_build_object('key', me.queue_key, 'begun', me.started_at is not null,
        'concurrency', concurrency, 'rate', rate, 'total', total, 'totalRate', total_rate, 'window', "window", 'windowOpen', window_open,
        'holding', ${held(inQueue)}, 'totalHolding', case when total is null then 0 else ${held(inWorkflow)} end,
        'started', ${startedIn("rate", inQueue)},
        'totalStarted', ${startedIn("total_rate", inWorkflow)},
        'ahead', (select count(*) from (
          select from ${firstOf(GOES_ON)} as run where me.started_at is null or ${before}
          union all
          select from ${firstOf(NEVER_BEGUN)} as run where me.started_at is null and ${before}
          limit ${MOST_AHEAD}) as ahead),
        'opens_at', coalesce(
          (select opens_at from handrail.queue_lane as lane where lane.workflow = me.workflow and lane.key = me.queue_key),
          case when total_rate is not null and me.started_at is null then (
            select starts_at from handrail.queue_total where queue_total.workflow = me.workflow and starts_at > clock_timestamp()) end))
      from (select run.*) as me
      cross join lateral (
        select bound.*, ${OPEN_NOW} as window_open from (
          select
            coalesce(live.concurrency, (declared.limits ->> 'concurrency')::int) as concurrency,
            coalesce(live.total, (declared.limits ->> 'total')::int) as total,
            ${rateOf("rate_limit", "rate_per_ms", "rate")} as rate,
            ${rateOf("total_rate_limit", "total_rate_per_ms", "totalRate")} as total_rate,
            shown."window", (shown."window" ->> 'from')::time as opens, (shown."window" ->> 'to')::time as closes,
            shown."window" ->> 'timeZone' as zone
          from (select me.workflow) as of
          left join handrail.queue_limit as live on live.workflow = of.workflow
          left join lateral (
            select limits from handrail.workflow where name = of.workflow order by version desc limit 1) as declared on true
          cross join lateral (select case when live.window_from is not null
            then jsonb_build_object('from', live.window_from, 'to', live.window_to, 'timeZone', live.window_zone)
            else nullif(declared.limits -> 'window', 'null') end as "window") as shown
        ) as bound
      ) as limits
      where me.queue_key is not null and me.worker_id is null and me.due_at is null
        and (me.status = 'pending' or me.waiting_kind = 'slot')
    )`;
