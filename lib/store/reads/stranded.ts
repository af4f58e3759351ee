import { cappedStatement, type Db } from "../db";
import { BEGUN, firstTimers, NEW, READY, TIMED } from "../workers/fitting-runs";
import { NEEDS } from "../workflows/fitting-versions";
import { waitingRuns } from "./waiting-runs";

/** Runs that could continue, but that no live worker can claim. */
export interface StrandedRow {
  workflow: string;
  title: string;
  /**
   * The version chosen for them, or that they were started as, if live workers have only older ones; null: no live
   * worker has the workflow at all.
   */
  version: number | null;
  runs: number;
}

/**
 * Along the heads of the indexes that claims walk, and only of workflows without a live worker; of chosen versions,
 * along an index of the few runs that have one; of versions newer than those of all live workers, pending runs.
 * Counting stops at `$1`; the clock is read once, so that the indexes of timers can be searched.
 */
const strandedStatement = cappedStatement(
  "stranded-runs",
  `
    with live as (
      select workflows, versions from handrail.worker
      where stopped_at is null and stopping_at is null and lease_expires_at > clock_timestamp()
    ), absent as (
      select distinct on (name) name, title from handrail.workflow
      where not exists (select from live where name = any (live.workflows))
      order by name, version desc
    ), chosen as (
      select workflow, chosen_version, count(*)::int as runs from (
        select workflow, chosen_version from handrail.run
        where chosen_version is not null and finished_at is null limit $1::int) as few
      group by workflow, chosen_version
    ), known as (
      select its.name, max(version::int) as newest from live
      cross join jsonb_each(live.versions) as its (name, versions) cross join jsonb_array_elements(its.versions) as version
      group by its.name
    ), newer as (
      select known.name as workflow, few.version, count(*)::int as runs from known cross join lateral (
        (select run.version from handrail.run
        where run.workflow = known.name and ${READY} and ${NEW} and ${NEEDS} > known.newest limit $1::int)
        union all
        (select run.version from handrail.run
        where run.workflow = known.name and ${TIMED} and ${NEW} and ${NEEDS} > known.newest
          and run.due_at <= (select clock_timestamp()) limit $1::int)
      ) as few
      group by known.name, few.version
    )
    select absent.name as workflow, title, null::int as version, ready.count as runs
    from absent cross join lateral (
      select count(*)::int as count from (
        ${waitingRuns("absent.name", "$1")}
        union all
        (select from ${firstTimers(NEW, "absent.name", "run.due_at <= (select clock_timestamp())", "$1::int")} as timer)
        union all
        (select from ${firstTimers(BEGUN, "absent.name", "run.due_at <= (select clock_timestamp())", "$1::int")} as timer)
        union all
        (select from handrail.run where run.workflow = absent.name and queue_key is not null
          and due_at <= (select clock_timestamp()) limit $1::int)
        limit $1::int
      ) as found
    ) as ready
    where ready.count > 0
    union all
    select chosen.workflow, coalesce(workflow.title, chosen.workflow), chosen_version, runs
    from chosen left join handrail.workflow on workflow.name = chosen.workflow and workflow.version = chosen_version
    where exists (select from live where chosen.workflow = any (live.workflows))
      and not exists (select from live where live.versions -> chosen.workflow @> to_jsonb(chosen_version))
    union all
    select newer.workflow, coalesce(workflow.title, newer.workflow), newer.version, runs
    from newer left join handrail.workflow on workflow.name = newer.workflow and workflow.version = newer.version
    order by runs desc, workflow
    limit 50`,
);

/** The largest first, 50 at most. */
export function listStranded(db: Db, cap: number): Promise<StrandedRow[]> {
  return db.query<StrandedRow>(strandedStatement(cap), []);
}
