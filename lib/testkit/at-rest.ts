import type { Pool } from "pg";
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

/** Runs that a worker has, or would go on with at once; ten at most. @param workflows names of those that it knows */
export async function restlessRuns(
  pool: Pool,
  workflows: readonly string[],
): Promise<{ id: string; workflow: string }[]> {
  const { rows } = await pool.query<{ id: string; workflow: string }>(
    inSchema(`select id, workflow from handrail.run
     where worker_id is not null or workflow = any ($1::text[]) and (${GOES_ON}) limit 10`),
    [workflows],
  );
  return rows;
}
