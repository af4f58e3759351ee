/** Rules about the queues of limited runs. */
export const QUEUE_RULES = [
  {
    name: "A queued run's queue is registered",
    promise: "P1",
    meaning: `No claim will ever read this run's queue. This is a bug in the engine: keep the rows and report them; then insert its workflow and queue_key into handrail.queue_note.`,
    sql: `
      select run.id, run.workflow, run.queue_key from handrail.run
      where run.queue_key is not null and run.worker_id is null and run.due_at is null
        and (run.status = 'pending' or run.waiting_kind = 'slot')
        and not exists (select from handrail.queue_lane where workflow = run.workflow and key = run.queue_key)
        and not exists (select from handrail.queue_note where workflow = run.workflow and key = run.queue_key)`,
  },
  {
    name: "A closed queue has a held slot, an instant at which it opens, or paused new runs",
    promise: "P1",
    meaning: `Nothing will ever open this queue. This is a bug in the engine: keep the rows and report them; then insert its workflow and key into handrail.queue_note.`,
    sql: `
      select lane.workflow, lane.key from handrail.queue_lane as lane
      where not lane.ready and lane.opens_at is null
        and not exists (select from handrail.closed_intake as closed where closed.workflow = lane.workflow)
        and not exists (select from handrail.run
          where run.workflow = lane.workflow and run.queue_key = lane.key and run.worker_id is not null)
        and not exists (select from handrail.queue_note as note where note.workflow = lane.workflow and note.key = lane.key)`,
  },
  {
    name: "A workflow whose slots are all held has a run that holds one",
    promise: "P1",
    meaning: `Nothing will ever open the queues of this workflow. This is a bug in the engine: keep the rows and report them; then insert its workflow and any key into handrail.queue_note.`,
    sql: `
      select total.workflow, total.starts_at from handrail.queue_total as total
      where ("full" and not exists (select from handrail.run
          where run.workflow = total.workflow and run.queue_key is not null and run.worker_id is not null)
        or starts_at > clock_timestamp() + interval '1 day')
        and not exists (select from handrail.queue_note as note where note.workflow = total.workflow)`,
  },
] as const;
