import type { Db, Statement } from "./db";
import { firedBy } from "./due-schedules";
import { EXPECTED_TURN } from "./suspects";

/*
 * Only reads. Of the lease of another worker that owns runs, when it ends, if a beat of it is overdue: those that live are
 * heard of by their beats, and there is nothing to come for. Workflows whose intake is closed are left out: what has begun of
 * them is found by whoever comes for something else, or within the time after which everybody comes back.
 */
const nextWorkStatement: Statement = {
  name: "next-work",
  text: `
    with given as (
      select workflow from unnest($2::text[]) as given (workflow)
      where not exists (select from handrail.worker as me where me.id = $1::bigint and given.workflow = any (me.closed_intakes))
    )
    select (extract(epoch from min(at) - clock_timestamp()) * 1000)::float8 as "inMs" from (
      select clock_timestamp() as at from given where exists (
        select from handrail.run where run.workflow = given.workflow and run.queue_key is null
          and run.status = 'pending' and run.due_at is null)
      union all
      select (select min(run.due_at) from handrail.run
        where run.workflow = given.workflow and run.queue_key is null and run.due_at is not null) from given
      union all
      select (select min(run.due_at) from handrail.run
        where run.workflow = given.workflow and run.queue_key is not null and run.due_at is not null) from given
      union all
      select case when lane.ready then clock_timestamp() else lane.opens_at end
      from given join handrail.queue_lane as lane using (workflow) where lane.ready or lane.opens_at is not null
      union all
      select clock_timestamp() from given where exists (
        select from handrail.queue_note where queue_note.workflow = given.workflow)
      union all
      select ${EXPECTED_TURN} from handrail.suspect join handrail.run on run.id = suspect.run_id
      join given on given.workflow = run.workflow where suspect.turn_at is null and run.due_at is not null
      union all
      select schedule.look_at from handrail.schedule join handrail.worker as me on me.id = $1::bigint
      where schedule.look_at is not null and ${firedBy("me")}
      union all
      select other.lease_expires_at from handrail.worker as other
      where other.stopped_at is null and other.id <> $1::bigint
        and clock_timestamp() > other.heartbeat_at + (other.lease_expires_at - other.heartbeat_at) / 2
        and exists (select from handrail.run where run.worker_id = other.id)
    ) as next`,
};

/**
 * Until there is something for a worker of these workflows to do, in milliseconds, negative when it is overdue; null when
 * nothing is known to come. What somebody starts or sends meanwhile nobody can know.
 */
export async function nextWorkInMs(db: Db, workerId: number, workflows: readonly string[]): Promise<number | null> {
  const [row] = await db.query<{ inMs: number | null }>(nextWorkStatement, [workerId, workflows]);
  return row?.inMs ?? null;
}
