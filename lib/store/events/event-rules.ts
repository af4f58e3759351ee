import { ERASED_VALUE } from "../../engine/privacy/erased";

const REPORT = "This is a bug in the engine: keep the rows and report them";

/** Rules about events and their waiters. */
export const EVENT_RULES = [
  {
    name: "No event is available to a run that waits for it",
    promise: "P8" as const,
    meaning: `An event is available and the run does not take it. ${REPORT}; set the run's due_at to now.`,
    sql: `
      select run.id, wait.step, event.seq from handrail.event_wait wait
      join handrail.run on run.id = wait.run_id and run.status = 'waiting' and run.due_at is null
        and run.waiting_kind <> 'slot'
      join handrail.step on step.run_id = wait.run_id and step.name = wait.step and step.generation = wait.generation
      join handrail.event on event.name = wait.event and event.taken_by is null
        and (event.run_id = wait.run_id or event.key = wait.key) and event.payload <> '${ERASED_VALUE}' and handrail.event_fits(event.payload, wait.filter)
      where wait.closed_at is null and step.status = 'waiting' and step.superseded_by is null`,
  },
  {
    name: "A taken event is the outcome of the step that took it",
    promise: "P8" as const,
    meaning: `An event was taken and lost. ${REPORT}; send it to the run again.`,
    sql: `
      select event.seq, event.taken_by, event.taken_step from handrail.event
      left join handrail.step on step.run_id = event.taken_by and step.name = event.taken_step
        and step.generation = event.taken_generation
      where event.taken_by is not null and (step.status is null or step.status not in ('completed', 'failed'))`,
  },
  {
    name: "A step took at most one event",
    promise: "P8" as const,
    meaning: `Several events ended up in one outcome: all but one are lost. ${REPORT}; send them again.`,
    sql: `
      select taken_by, taken_step, taken_generation, count(*)::int as events from handrail.event
      where taken_by is not null group by taken_by, taken_step, taken_generation having count(*) > 1`,
  },
  {
    name: "A step that waits for an event is on record among the waits",
    promise: "P8" as const,
    meaning: `No event will ever wake this run. ${REPORT}; rerun the run from this step.`,
    sql: `
      select step.run_id, step.name from handrail.step
      left join handrail.event_wait wait on wait.run_id = step.run_id and wait.step = step.name
        and wait.generation = step.generation
      where step.kind in ('event', 'approval') and step.status = 'waiting' and step.superseded_by is null
        and (wait.run_id is null or wait.closed_at is not null)`,
  },
];
