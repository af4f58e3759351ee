import { CLOSED_INTAKES, HELD_WORKFLOWS } from "./intake";

/** Of workflows whose intake is closed. */
export const INTAKE_RULES = [
  {
    name: "Every worker knows which intakes are closed",
    promise: "P9",
    meaning:
      "This worker goes on with runs that an operator wants held, or leaves others be. Close and open the intake again, keep the rows and report them.",
    sql: `
      select id, closed_intakes, held_workflows from handrail.worker where stopped_at is null
        and (closed_intakes <> ${CLOSED_INTAKES} or held_workflows <> ${HELD_WORKFLOWS})`,
  },
  {
    name: "No run has begun since its workflow's intake was closed",
    promise: "P9",
    meaning:
      "A run was begun that an operator wanted held: by a worker of an older version, which does not know of intakes, or by a bug of the engine.",
    sql: `
      select run.id, run.workflow, run.started_at, closed.closed_at from handrail.closed_intake as closed
      join handrail.run on run.workflow = closed.workflow and run.started_at > closed.closed_at`,
  },
] as const;
