const REPORT = "This is a bug in the engine: keep the rows and report them";

/** Rules for rows beside runs: tags, answers to requests, event triggers. */
export const RECORD_RULES = [
  {
    name: "A run is found by its tags, and by no others",
    promise: "P1",
    meaning: `A search by a business key misses this run, or returns it by mistake. ${REPORT}; then write the tags of handrail.run to handrail.run_tag.`,
    sql: `
      select coalesce(said.id, found.run_id) as run_id, coalesce(said.name, found.name) as tag
      from (select run.id, tag.key as name, tag.value from handrail.run, jsonb_each_text(run.tags) as tag
        where run.tags is not null) as said
      full join handrail.run_tag as found
        on found.run_id = said.id and found.name = said.name and found.value = said.value
      where said.id is null or found.run_id is null`,
  },
  {
    name: "Every recorded request has its answer",
    promise: "P9",
    meaning: `A repetition of this request gets no answer. ${REPORT}; then delete the row: its work was not done.`,
    sql: `select key, created_at from handrail.request where status is null or body is null`,
  },
  {
    name: "A workflow that an event starts is known at that version",
    promise: "P8",
    meaning: `Events start runs of a workflow that no worker has registered. ${REPORT}; a worker that has the workflow registers it when it starts.`,
    sql: `
      select subscription.workflow, subscription.version, subscription.event from handrail.subscription
      where event is not null and not exists (
        select from handrail.workflow where name = subscription.workflow and version = subscription.version)`,
  },
] as const;
