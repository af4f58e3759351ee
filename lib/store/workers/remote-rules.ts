/** Rules for runs that processes in other languages own. */
export const REMOTE_RULES = [
  {
    name: "A run of a workflow in another language is executed by a worker that has the workflow",
    promise: "P5",
    meaning:
      "The worker that owns this run does not have its workflow. This is a bug in the engine: keep the rows and report them; nothing is written until its lease ends and another worker takes the run over.",
    sql: `
      select run.id, run.workflow, worker.id as worker from handrail.run join handrail.worker on worker.id = run.worker_id
      where run.workflow <> all (worker.workflows) and (worker.language is not null
        or exists (select from handrail.workflow where name = run.workflow and definition is not null))`,
  },
  {
    name: "A step that a live worker over HTTP began belongs to a run that it owns",
    promise: "P3",
    meaning:
      "A claim ended and left a step running: a later claim of the same worker would treat it as part of that claim. This is a bug in the engine: keep the rows and report them, and check with the provider what the step did.",
    sql: `
      select step.run_id, step.name, worker.id as worker from handrail.worker
      join handrail.step on step.worker_id = worker.id join handrail.run on run.id = step.run_id
      where worker.language is not null and worker.stopped_at is null and worker.lease_expires_at > clock_timestamp()
        and step.status = 'running' and step.superseded_by is null and run.worker_id is distinct from worker.id`,
  },
] as const;
