import type { Db, Statement } from "../db";

/*
 * Queues that a worker closed until an instant, by the limits of its code, which may not be those of the workers that
 * are left: the limits of a workflow are those of the newest version that the claiming worker has. Another build of one
 * version may have other limits, too: only what was closed since that build came, so that a deploy does not open
 * thousands of queues for nothing. The worker can claim no more: its row says that it has stopped.
 */
const lookAfterStopStatement: Statement = {
  name: "look-at-queues-after-stop",
  text: `
    with bound as (
      select worker.id = any ($1::bigint[]) as gone, had.name as workflow, workflow.limits, worker.build, worker.started_at
      from handrail.worker cross join lateral jsonb_each(worker.versions) as had (name, numbers)
      join handrail.workflow on workflow.name = had.name
        and workflow.version = (select max(number::int) from jsonb_array_elements_text(had.numbers) as number)
      where worker.stopped_at is null or worker.id = any ($1::bigint[])
    ), differs as (
      select workflow, min(case when bound.limits is distinct from other.limits then '-infinity'
        else other.started_at - interval '1 minute' end) as since
      from bound join bound as other using (workflow)
      where bound.gone and not other.gone
        and (bound.limits is distinct from other.limits or bound.build is distinct from other.build)
      group by workflow
    )
    insert into handrail.queue_note (workflow, key)
    select workflow, lane.key from differs join handrail.queue_lane as lane using (workflow)
    where lane.opens_at is not null and lane.turn >= differs.since
    union all
    select workflow, '' from differs join handrail.queue_total as total using (workflow) where total.starts_at is not null`,
};

/** Makes claims check the queues that workers have closed which have just stopped, where others have other limits. */
export async function lookAfterStop(tx: Db, workerIds: readonly number[]): Promise<void> {
  await tx.query(lookAfterStopStatement, [workerIds]);
}
