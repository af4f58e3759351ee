import type { FourEyesAct } from "../../engine/operations/four-eyes";
import type { Db, Statement } from "../db";
import type { CompensationRow, RunRow, StepRow } from "../rows";
import { SINGLETON_HOLDER, type WithHolder } from "../runs/singleton";

type PlannedStepRow = Pick<
  StepRow,
  | "name"
  | "kind"
  | "effect"
  | "status"
  | "position"
  | "can_ask"
  | "doubt"
  | "compensation_mode"
  | "key_generation"
  | "reference"
> & {
  compensation_status: CompensationRow["status"] | null;
  /** Microseconds since 1970. */
  began_at: number;
  /** Of the first outcome in any generation; also null unless requested. */
  first_outcome_at: number | null;
};

/** A run as a plan reads it; `steps` are those that are not superseded, in order. */
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
  | "chosen_version"
  | "parent_run_id"
  | "page_of"
  | "erased_at"
> &
  WithHolder & {
    /** Actions that need a second operator for runs of its version. */
    four_eyes: FourEyesAct[];
    steps: PlannedStepRow[];
  };

const MICROSECONDS = (instant: string) => `(extract(epoch from ${instant}) * 1000000)::bigint`;

const factsStatement: Statement = {
  name: "plan-facts",
  text: `
    select run.id, run.workflow, run.status, run.revision, run.generation, run.cancel_requested_at, run.pause_requested_at, run.due_at,
      run.started_at, run.failed_step, run.chosen_version, run.parent_run_id, run.page_of, run.erased_at, ${SINGLETON_HOLDER} as singleton_holder, step.steps,
      coalesce((select four_eyes from handrail.workflow
        where workflow.name = run.workflow and workflow.version = run.version), '{}') as four_eyes
    from handrail.run cross join lateral (
      select coalesce(json_agg(json_build_object('name', step.name, 'kind', step.kind, 'effect', step.effect,
          'status', step.status, 'position', step.position, 'can_ask', step.can_ask, 'doubt', step.doubt,
          'compensation_mode', step.compensation_mode, 'key_generation', step.key_generation,
          'reference', step.reference, 'compensation_status', compensation.status,
          'began_at', ${MICROSECONDS("step.started_at")},
          'first_outcome_at', case when $2::boolean then (select ${MICROSECONDS("min(earlier.finished_at)")}
            from handrail.step as earlier where earlier.run_id = run.id and earlier.name = step.name) end) order by step.position), '[]') as steps
      from handrail.step left join handrail.compensation on compensation.run_id = step.run_id
        and compensation.step = step.name and compensation.generation = step.generation
      where step.run_id = run.id and step.superseded_by is null
    ) as step
    where run.id = any ($1::uuid[])
    order by run.id desc`,
};

/**
 * Newest first; ids without a run are left out. One statement: each run as it was at one instant. `outcomes`: with
 * their first ones.
 */
export const selectPlanFacts = (db: Db, runIds: readonly string[], { outcomes }: { outcomes: boolean }) =>
  db.query<PlannedRunRow>(factsStatement, [runIds, outcomes]);

const unfitStatement: Statement = {
  name: "plan-unfit-versions",
  text: `
    select run_id, version, gone[1] as gone from handrail.drift
    where run_id = any ($1::uuid[]) and stopped and gone_count > 0
    order by run_id, version, generation`,
};

export interface UnfitVersionRow {
  run_id: string;
  version: number;
  gone: string;
}

/** Versions that were tried on these runs and lack steps that they have done. */
export const selectUnfitVersions = (db: Db, runIds: readonly string[]) =>
  db.query<UnfitVersionRow>(unfitStatement, [runIds]);
