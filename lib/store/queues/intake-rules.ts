import { CLOSED_INTAKES, HELD_WORKFLOWS } from "./intake";

/** Of workflows whose intake is closed. */
export const INTAKE_RULES = [
  {
    name: "Every worker knows which workflows have paused new runs",
    promise: "P9",
    meaning:
      "This worker starts runs that an operator paused, or leaves others waiting. Pause and resume new runs again, keep the rows and report them.",
    sql: `
      select id, closed_intakes, held_workflows from handrail.worker where stopped_at is null
        and (closed_intakes <> ${CLOSED_INTAKES} or held_workflows <> ${HELD_WORKFLOWS})`,
  },
  {
    name: "No run has begun since its workflow paused new runs",
    promise: "P9",
    meaning:
      "A run began although an operator had paused new runs: its worker is of an older version, which cannot pause them, or the engine has a bug.",
    sql: `
      select run.id, run.workflow, run.started_at, closed.closed_at from handrail.closed_intake as closed
      join handrail.run on run.workflow = closed.workflow and run.started_at > closed.closed_at and run.page_of is null`,
  },
] as const;
