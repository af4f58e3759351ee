import type { Db, Statement } from "../db";
import type { CompensationRow, RunRow, StepRow } from "../rows";
import { idLanes, Parameters, type RunFilter } from "./run-filter";

export type PlannedStepRow = Pick<
  StepRow,
  "name" | "kind" | "effect" | "status" | "position" | "can_ask" | "compensation_mode" | "key_generation" | "reference"
> & { compensation_status: CompensationRow["status"] | null };

/** A run as a plan looks at it; `steps` are those whose result stands, in order. */
export type PlannedRunRow = Pick<
  RunRow,
  | "id"
  | "workflow"
  | "status"
  | "revision"
  | "generation"
  | "cancel_requested_at"
  | "pause_requested_at"
  | "due_at"
  | "started_at"
  | "failed_step"
> & { steps: PlannedStepRow[] };

const factsStatement: Statement = {
  name: "plan-facts",
  text: `
    select run.id, run.workflow, run.status, run.revision, run.generation, run.cancel_requested_at, run.pause_requested_at, run.due_at,
      run.started_at, run.failed_step, step.steps
    from handrail.run cross join lateral (
      select coalesce(json_agg(json_build_object('name', step.name, 'kind', step.kind, 'effect', step.effect,
          'status', step.status, 'position', step.position, 'can_ask', step.can_ask,
          'compensation_mode', step.compensation_mode, 'key_generation', step.key_generation,
          'reference', step.reference, 'compensation_status', compensation.status) order by step.position), '[]') as steps
      from handrail.step left join handrail.compensation on compensation.run_id = step.run_id
        and compensation.step = step.name and compensation.generation = step.generation
      where step.run_id = run.id and step.superseded_by is null
    ) as step
    where run.id = any ($1::uuid[])
    order by run.id desc`,
};

/** Newest first; ids of which there is no run are left out. One statement: each run as it was at one instant. */
export const selectPlanFacts = (db: Db, runIds: readonly string[]) => db.query<PlannedRunRow>(factsStatement, [runIds]);

/** The ids of the runs that the filter finds, newest first, as one batch of at most `limit` before the id `before`. */
export async function listRunIds(db: Db, filter: RunFilter, page: { before: string | null; limit: number }) {
  const parameters = new Parameters();
  const lanes = idLanes(filter, parameters, page);
  const text = `
    select id from (${lanes.join("\n      union ")}) as found
    order by id desc limit ${parameters.add(page.limit, "int")}`;
  return (await db.query<{ id: string }>({ name: "", text }, parameters.values)).map(({ id }) => id);
}
