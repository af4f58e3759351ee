import type { PlanFacts } from "../../engine/operations/plan";
import type { RunFacts, StepFacts } from "../../engine/runs/operator-acts";
import type { PlannedRunRow } from "../../store/operations/plan-facts";
import type { CompensationRow, RunRow, StepRow } from "../../store/rows";
import type { WithHolder } from "../../store/runs/singleton";

type RunPart = Pick<
  RunRow,
  | "status"
  | "cancel_requested_at"
  | "pause_requested_at"
  | "due_at"
  | "started_at"
  | "failed_step"
  | "parent_run_id"
  | "page_of"
  | "erased_at"
> &
  WithHolder;
type StepPart = Pick<
  StepRow,
  "name" | "kind" | "effect" | "status" | "position" | "can_ask" | "doubt" | "compensation_mode"
> & {
  compensation_status: CompensationRow["status"] | null;
};

/** Rows as the rules of actions read them; `steps` are those that are not superseded. */
export function factsOf(run: RunPart, steps: readonly StepPart[]): RunFacts {
  return {
    status: run.status,
    cancelRequested: run.cancel_requested_at !== null,
    pauseRequested: run.pause_requested_at !== null,
    startsLater: run.status === "pending" && run.due_at !== null && run.started_at === null,
    failedStep: run.failed_step,
    keyHeldBy: run.singleton_holder,
    parentRunId: run.parent_run_id,
    pageOf: run.page_of,
    erased: run.erased_at !== null,
    steps: steps.map(stepFacts),
  };
}

/** The same, with what a plan reports of effects. */
export function plannedFacts(
  row: PlannedRunRow,
  more: Pick<PlanFacts, "unfit" | "splitBelow" | "doubtBelow">,
): PlanFacts {
  const { id, workflow, revision, generation, chosen_version: chosenVersion } = row;
  const steps = row.steps.map((step) => ({
    ...stepFacts(step),
    keyGeneration: step.key_generation,
    reference: step.reference,
    beganAt: step.began_at,
    firstOutcomeAt: step.first_outcome_at,
  }));
  return {
    ...factsOf(row, row.steps),
    id,
    workflow,
    revision,
    generation,
    chosenVersion,
    ...more,
    steps,
    fourEyes: row.four_eyes,
  };
}

/** A completed step keeps the doubt of an attempt before; it is none any more. */
export const inDoubt = ({ status, doubt }: Pick<StepRow, "status" | "doubt">) => status === "waiting" && doubt !== null;

const stepFacts = (step: StepPart): StepFacts => ({
  name: step.name,
  kind: step.kind,
  effect: step.effect,
  status: step.status,
  position: step.position,
  canAsk: step.can_ask,
  inDoubt: inDoubt(step),
  compensationMode: step.compensation_mode ?? "none",
  compensationStatus: step.compensation_status ?? "none",
});
