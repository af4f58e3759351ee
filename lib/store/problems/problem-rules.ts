const REPORT = "This is a bug in the engine: keep the rows and report them";
const IS_ILL = "run.attention in ('failed', 'outcome_unknown', 'compensation_owed')";
const IS_TO_BE_FOLDED = (run: string) => `exists (select from handrail.trouble where trouble.run_id = ${run})`;

/** Rules about problems, and about the feed that maintains them. */
export const PROBLEM_RULES = [
  {
    name: "The row that workers lock to fold failures exists",
    promise: "P1",
    meaning:
      "No failure will be folded into a problem: the row was deleted outside Handrail. Insert it again, `insert into handrail.problem_fold default values`.",
    sql: `select 'missing' as problem_fold where not exists (select from handrail.problem_fold)`,
  },
  {
    name: "A problem has as many open runs as it counts",
    promise: "P1",
    meaning: `The number of runs that are still failed is wrong on the screens; plans are right, because they read the runs. ${REPORT}; then set open_runs to the count.`,
    sql: `
      select problem.id, problem.open_runs, held.runs from handrail.problem cross join lateral (
        select count(*) as runs from handrail.problem_run where problem_id = problem.id and left_at is null) as held
      where problem.open_runs <> held.runs`,
  },
  {
    name: "A run that has failed or is in doubt belongs to a problem, or is about to",
    promise: "P1",
    meaning: `A run needs attention and belongs to no problem; the list of runs shows it. ${REPORT}.`,
    sql: `
      select run.id, run.status, run.attention from handrail.run
      where run.attention in ('failed', 'outcome_unknown') and not ${IS_TO_BE_FOLDED("run.id")}
        and not exists (select from handrail.problem_run where problem_run.run_id = run.id and left_at is null)`,
  },
  {
    name: "A problem has only runs that need attention, or that are about to leave it",
    promise: "P1",
    meaning: `A run that needs no attention, or is gone, counts as failed on the screens. ${REPORT}; then insert its id into handrail.trouble.`,
    sql: `
      select held.run_id, held.problem_id from handrail.problem_run as held
      where held.left_at is null and not ${IS_TO_BE_FOLDED("held.run_id")}
        and not exists (select from handrail.run where run.id = held.run_id and ${IS_ILL})`,
  },
  {
    name: "The failures of a problem are the sum of its versions'",
    promise: "P1",
    meaning: `A failure was counted twice, or not at all. ${REPORT}; no run is affected.`,
    sql: `
      select problem.id, problem.failures, version.failures as of_versions from handrail.problem cross join lateral (
        select coalesce(sum(failures), 0) as failures from handrail.problem_version where problem_id = problem.id) as version
      where problem.failures <> version.failures`,
  },
  {
    name: "Every key of a problem refers to an existing problem",
    promise: "P1",
    meaning:
      "A problem was deleted outside Handrail and its keys were not. Delete the keys; the next failure creates a new problem.",
    sql: `
      select problem_id, workflow, step, fingerprint from handrail.problem_fingerprint
      where not exists (select from handrail.problem where problem.id = problem_id)`,
  },
  {
    name: "A probe that has not ended has a rerun under way, or one that is due",
    promise: "P1",
    meaning: `A probe neither judges a rerun nor begins the next one. ${REPORT}; then stop the probe and begin another.`,
    sql: `
      select probe.id, probe.problem_id from handrail.probe
      where status = 'running' and (next_at is null) <> exists (
        select from handrail.probe_try where probe_id = probe.id and outcome is null)`,
  },
  {
    name: "Failures are folded into problems while a worker is live",
    promise: "P1",
    meaning:
      "A failure has waited for more than a minute to be folded into a problem: look for a worker that cannot reach the database, or a transaction that holds handrail.problem_fold.",
    sql: `
      select trouble.seq, trouble.run_id, trouble.at from handrail.trouble
      where seq = (select min(seq) from handrail.trouble) and trouble.at < clock_timestamp() - interval '1 minute'
        and exists (select from handrail.worker alive where alive.stopped_at is null and alive.language is null
          and alive.started_at < clock_timestamp() - interval '1 minute' and alive.lease_expires_at > clock_timestamp())`,
  },
] as const;
