import { cappedStatement, type Db } from "../db";
import { BEGUN, firstTimers, NEW } from "./fitting-runs";

/**
 * Workers that have lived for a minute and are not busy, `idle` among them those that own nothing. By their last beat
 * and by what they own now: one that is only between two runs is busy.
 */
export const WORKERS_WITH_ROOM = `
  select busy.*, running = 0 and owned = 0 as idle
  from (
    select worker.*, (select count(*) from handrail.run as taken where taken.worker_id = worker.id) as owned
    from handrail.worker
    where stopped_at is null and stopping_at is null and lease_expires_at > clock_timestamp()
      and started_at < clock_timestamp() - interval '1 minute'
  ) as busy
  where running < concurrency and owned < concurrency`;

/**
 * Whether `worker` should have taken the run of the row `run` long ago. Due runs of a queue enter it in the first round
 * of any worker with room, whatever the backlog; others wait behind it, so that only an idle worker is proof.
 */
export const takesDueRun = (run: string) => `
  ${run}.workflow = any (worker.workflows) and ${run}.workflow <> all (worker.held_workflows)
  and worker.versions -> ${run}.workflow @> to_jsonb(coalesce(${run}.chosen_version, ${run}.code_version, ${run}.version))
  and (worker.idle or ${run}.queue_key is not null)`;

/** Runs that have been due for more than a minute although a live worker has room for them. */
interface OverdueRow {
  workflow: string;
  title: string;
  /** When the first of them was due. */
  since: Date;
  runs: number;
}

const FACTS = "run.workflow, run.version, run.chosen_version, run.code_version, run.queue_key, run.due_at";
const OVERDUE = "run.due_at < (select clock_timestamp()) - interval '1 minute'";

/** Along the heads of the indexes of timers, for workflows of workers with room. Reads `$1` entries of each index. */
const overdueStatement = cappedStatement(
  "overdue-runs",
  `
    with worker as materialized (${WORKERS_WITH_ROOM}), workflow as (
      select distinct unnest(workflows) as name from worker
    )
    select workflow.name as workflow,
      coalesce((select title from handrail.workflow as known where known.name = workflow.name order by version desc limit 1), workflow.name) as title,
      overdue.since, overdue.runs
    from workflow cross join lateral (
      select min(due_at) as since, least(count(*), $1::int)::int as runs from (
        ${firstTimers(NEW, "workflow.name", OVERDUE, "$1::int", FACTS)}
        union all
        ${firstTimers(BEGUN, "workflow.name", OVERDUE, "$1::int", FACTS)}
        union all
        (select ${FACTS} from handrail.run
        where run.workflow = workflow.name and run.queue_key is not null
          and ${OVERDUE} order by run.due_at limit $1::int)
      ) as run
      where exists (select from worker where ${takesDueRun("run")})
    ) as overdue
    where overdue.runs > 0
    order by overdue.runs desc, workflow.name
    limit 50`,
);

/** The most first, 50 workflows at most. */
export function listOverdue(db: Db, cap: number): Promise<OverdueRow[]> {
  return db.query<OverdueRow>(overdueStatement(cap), []);
}
