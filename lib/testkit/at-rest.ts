import type { Pool } from "pg";
import { SOME_OVERDUE } from "../store/runs/expire-starts";
import { firedBy } from "../store/schedules/due-schedules";
import { inSchema } from "../store/schema";

/*
 * A run in a queue is at rest only while its queue is closed: a note of it, or an open queue, is about to let it in. A child
 * is at rest once its parent knows of its end.
 */
const GOES_ON = `
  due_at <= clock_timestamp() or tells_parent and finished_at is not null
  or exists (select from handrail.suspect where run_id = run.id and turn_at is null)
  or (status = 'pending' or waiting_kind = 'slot') and due_at is null and case when queue_key is null then true else
    exists (select from handrail.queue_note as note where note.workflow = run.workflow and note.key = run.queue_key)
    or exists (
      select from handrail.queue_lane as lane left join handrail.queue_total as total on total.workflow = lane.workflow
      where lane.workflow = run.workflow and lane.key = run.queue_key and (lane.ready or lane.opens_at <= clock_timestamp())
        and total."full" is not true and coalesce(total.starts_at <= clock_timestamp(), true)) end`;

/** When schedules that a worker fires are due. */
const SCHEDULES = `
  select look_at as at from handrail.schedule join handrail.worker on ${firedBy("worker")}
  where worker.stopped_at is null and look_at is not null`;

/*
 * Timers, the times by which a run must have begun, those of schedules, and the openings of queues. A queue without a lane opens for
 * nobody.
 */
const TIMERS = `
  select due_at as at from handrail.run where due_at is not null
  union all select least(begin_by, deadline_at) from handrail.run
    where status = 'pending' and started_at is null and least(begin_by, deadline_at) > clock_timestamp()
  union all select at from (${SCHEDULES}) as schedule where at > clock_timestamp()
  union all select opens_at from handrail.queue_lane where opens_at > clock_timestamp()
  union all select starts_at from handrail.queue_total where starts_at > clock_timestamp()
    and exists (select from handrail.queue_lane as lane where lane.workflow = queue_total.workflow)`;

export interface Rest {
  /** Runs that a worker has, or would go on with at once; ten at most. */
  restless: { id: string; workflow: string }[];
  /** Until the first timer of any run, the time of a schedule, or the opening of a queue, in milliseconds; null when there is none. */
  timerMs: number | null;
  /** A schedule is due, or a run has not begun in time: a worker's duties are behind. */
  isDue: boolean;
}

/**
 * All at one moment: between two looks, a timer may come due by itself, and its run rest again.
 * @param workflows names of those that the workers know
 */
export async function restOf(pool: Pool, workflows: readonly string[]): Promise<Rest> {
  // With a name: it is asked every few milliseconds, and planning it takes longer than its run.
  const { rows } = await pool.query<Rest>({
    name: "handrail_rest",
    text: inSchema(`select
       (select coalesce(json_agg(one), '[]') from (select id, workflow from handrail.run
         where worker_id is not null or workflow = any ($1::text[]) and (${GOES_ON}) limit 10) as one) as restless,
       (select (extract(epoch from min(at) - clock_timestamp()) * 1000)::float8 from (${TIMERS}) as timer) as "timerMs",
       ${SOME_OVERDUE} or exists (select from (${SCHEDULES}) as schedule where at <= clock_timestamp()) as "isDue"`),
    values: [workflows],
  });
  return rows[0] as Rest;
}
