import type { RowInstant } from "../rows";

/** Where a run stands in its queue, and what holds it back. */
export interface RunQueueRow {
  key: string;
  /** Runs of the queue that somebody works on. */
  holding: number;
  /** The limits as they bind now: an operator's, or those of the newest version's code. */
  concurrency: number | null;
  rate: { limit: number; perMs: number } | null;
  /** Runs that go before it; counting stops at 1,000. */
  ahead: number;
  /** When the queue is looked at next because of its rate or its window; null when that is not what it waits for. */
  opens_at: RowInstant | null;
}

const MOST_AHEAD = 1_000;

const inQueue = `run.workflow = me.workflow and run.queue_key = me.queue_key`;
const before = `(run.priority > me.priority or (run.priority = me.priority and run.id < me.id))`;

/**
 * For a row of `handrail.run` named `run`: null unless it stands in a queue now. Every count follows an index of the queue
 * and stops at a limit.
 */
export const RUN_QUEUE = `(
      select json_build_object('key', me.queue_key,
        'holding', (select count(*) from (select from handrail.run
          where ${inQueue} and run.worker_id is not null limit 10000) as held),
        'concurrency', coalesce(live.concurrency, (declared.limits ->> 'concurrency')::int),
        'rate', case when live.rate_limit is not null then json_build_object('limit', live.rate_limit, 'perMs', live.rate_per_ms)
          else (declared.limits -> 'rate')::json end,
        'ahead', (select count(*) from (
          (select from handrail.run where ${inQueue} and run.queue_key is not null
            and (run.status = 'pending' or run.waiting_kind = 'slot') and run.due_at is null and run.started_at is not null
            and (me.started_at is null or ${before}) limit ${MOST_AHEAD})
          union all
          (select from handrail.run where ${inQueue} and run.queue_key is not null and run.status = 'pending'
            and run.due_at is null and run.started_at is null and me.started_at is null and ${before} limit ${MOST_AHEAD})
          limit ${MOST_AHEAD}) as ahead),
        'opens_at', (select opens_at from handrail.queue_lane as lane
          where lane.workflow = me.workflow and lane.key = me.queue_key))
      from (select run.*) as me
      left join handrail.queue_limit as live on live.workflow = me.workflow
      left join lateral (
        select limits from handrail.workflow where name = me.workflow order by version desc limit 1) as declared on true
      where me.queue_key is not null and me.worker_id is null and me.due_at is null
        and (me.status = 'pending' or me.waiting_kind = 'slot')
    )`;
