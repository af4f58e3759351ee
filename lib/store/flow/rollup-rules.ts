const REPORT = "This is a bug in the engine: keep the rows and report them";

/** Rules about the data of the charts. */
export const ROLLUP_RULES = [
  {
    name: "The row that records how far runs are counted exists",
    promise: "P1",
    meaning:
      "Charts will receive no more counts: the row was deleted outside Handrail. Insert it, `insert into handrail.rollup_fold default values`; everything counted so far will be counted twice.",
    sql: `select 'missing' as rollup_fold where not exists (select from handrail.rollup_fold)`,
  },
  {
    name: "Runs are counted for the charts while a worker is live",
    promise: "P1",
    meaning:
      "The charts have not advanced for ten minutes: look for a transaction that has written a run and does not end, or a worker that cannot reach the database.",
    sql: `
      select settled_at, mark_held from handrail.rollup_fold
      where settled_at < clock_timestamp() - interval '10 minutes'
        and exists (select from handrail.worker alive where alive.stopped_at is null and alive.language is null
          and alive.started_at < clock_timestamp() - interval '10 minutes' and alive.lease_expires_at > clock_timestamp())`,
  },
  {
    name: "Every ended run is counted",
    promise: "P1",
    meaning: `A run ended and the charts do not count it; no run is affected. ${REPORT}.`,
    sql: `
      with fold as (
        select date_trunc('minute', ended_at) as until from handrail.rollup_fold where ended_at > clock_timestamp() - interval '1 hour'
      )
      select ended.workflow, ended.minute, ended.runs, counted.runs as counted
      from (
        select workflow, date_trunc('minute', at) as minute, count(*) as runs
        from (
          select workflow, finished_at as at from handrail.run, fold where finished_at >= until - interval '10 minutes' and finished_at < until
          union all
          select workflow, at from handrail.run_end, fold where at >= until - interval '10 minutes' and at < until
        ) as ends
        group by 1, 2
      ) as ended
      cross join lateral (
        select coalesce(sum(completed + failed + cancelled + compensated), 0) as runs
        from handrail.run_rollup where minutes = 1 and at = ended.minute and run_rollup.workflow = ended.workflow
      ) as counted
      where counted.runs < ended.runs`,
  },
  {
    name: "An hour counts as many runs as its minutes",
    promise: "P1",
    meaning: `Charts of different lengths disagree; no run is affected. ${REPORT}.`,
    sql: `
      select hour.at, hour.workflow, hour.version, hour.runs, minute.runs as of_minutes
      from (
        select at, workflow, version, started + completed + failed + cancelled + compensated as runs
        from handrail.run_rollup where minutes = 60 and at > clock_timestamp() - interval '20 hours'
      ) as hour
      cross join lateral (
        select coalesce(sum(started + completed + failed + cancelled + compensated), 0) as runs from handrail.run_rollup
        where minutes = 1 and run_rollup.at >= hour.at and run_rollup.at < hour.at + interval '1 hour'
          and run_rollup.workflow = hour.workflow and run_rollup.version = hour.version
      ) as minute
      where hour.runs <> minute.runs`,
  },
  {
    name: "Executions of a step are counted under a known name, each with its duration",
    promise: "P1",
    meaning: `Durations of steps are wrong on the charts; no run is affected. ${REPORT}.`,
    sql: `
      select workflow, version, step, minutes, at, executions from handrail.step_rollup
      where executions <> (select coalesce(sum(took), 0) from unnest(took_counts) as took)
        or (step <> '' and not exists (select from handrail.rollup_step as known
          where known.workflow = step_rollup.workflow and known.step = step_rollup.step))`,
  },
  {
    name: "A superseded end of a run came before its current one",
    promise: "P6",
    meaning: `A run's earlier end is dated later than its last. ${REPORT}.`,
    sql: `
      select run.id, run_end.at, run.finished_at from handrail.run_end join handrail.run on run.id = run_end.run_id
      where run_end.at >= run.finished_at or run_end.generation > run.generation`,
  },
] as const;
