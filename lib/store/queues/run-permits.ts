import type { Rate } from "../../engine/queues/queue";
import type { RowInstant } from "../rows";

/** A limit that a step of the run waits for a permit of. */
export interface RunPermitRow {
  step: string;
  limit: string;
  /** Counted apart by a key, which may be made of masked values: then nothing is said of those beside it. */
  keyed: boolean;
  concurrency: number | null;
  rate: Rate | null;
  /** Null for a keyed limit. */
  held: number | null;
  started: number | null;
  /** Steps that go before it; counting stops at 1,000. */
  ahead: number | null;
  asks_at: RowInstant;
}

const MOST_WAITS = 50;
const MOST_AHEAD = 1_000;
/** No limit is higher. */
const MOST_HELD = 10_000;

const unlessKeyed = (count: string) =>
  `case when waiter.limit_key = '' then (select count(*) from (${count}) as counted) end`;

/** For a row of `handrail.run` named `run`: of its steps that wait for permits, the limits that have none for them. */
export const RUN_PERMITS = `(
      select coalesce(json_agg(json_build_object('step', waiter.step, 'limit', waiter.limit_name, 'keyed', waiter.limit_key <> '',
        'concurrency', bound.concurrency,
        'rate', case when rate_limit is not null
          then json_build_object('limit', rate_limit, 'perMs', (extract(epoch from rate_per) * 1000)::float8) end,
        'held', ${unlessKeyed(`select from handrail.permit where limit_name = waiter.limit_name and limit_key = waiter.limit_key
          and handrail.permit_is_held(permit) limit ${MOST_HELD}`)},
        'started', ${unlessKeyed("select from unnest(bound.starts) as at where at > clock_timestamp() - bound.rate_per")},
        'ahead', ${unlessKeyed(`select from handrail.permit_wait as other
          where other.limit_name = waiter.limit_name and other.limit_key = waiter.limit_key and other.ticket < waiter.ticket
            and handrail.permit_wait_counts(other) limit ${MOST_AHEAD}`)},
        'asks_at', waiter.due_at) order by waiter.step, waiter.limit_name), '[]')
      from (select * from handrail.permit_wait where run_id = run.id and due_at > '-infinity'
        order by step, generation, limit_name, limit_key limit ${MOST_WAITS}) as waiter
      join handrail.step_limit as bound on bound.name = waiter.limit_name and bound.key = waiter.limit_key
      where run.finished_at is null
    )`;
