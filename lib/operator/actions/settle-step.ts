import { maySettle, type Resolution } from "../../engine/runs/operator-acts";
import { encodeValue } from "../../engine/values/codec";
import type { Db } from "../../store/db";
import type { LockedRun } from "../../store/runs/lock-run";
import { type GivenOutcome, supplyFailedStep } from "../../store/runs/rerun";
import { endUnknownStep, goOnAfterSettling, repeatUnknownStep } from "../../store/steps/settle-step";
import { encodeGiven } from "../given-value";
import { type Command, carryOut, type Desk } from "./command";

interface StepResolution {
  runId: string;
  step: string;
  outcome: Resolution;
  /** JSON, for a step that happened. Absent: the step returned undefined. */
  output?: unknown;
  /** The provider's id of the effect. */
  reference?: string | undefined;
  reason: string;
  revision?: number | undefined;
}

/** Resolves a step with an unknown outcome, or replaces a failure with an outcome. */
export const settleStep = async (desk: Desk, resolution: StepResolution) => carryOut(desk, settleCommand(resolution));

/** @throws HandrailError `invalid_input` for an output that cannot be stored */
export function settleCommand(resolution: StepResolution): Command {
  const { runId, step, outcome, reason, revision } = resolution;
  const given = givenOutcome(resolution);
  return {
    act: "settle",
    runId,
    step,
    reason,
    asked: { outcome, ...(resolution.reference !== undefined && { reference: resolution.reference }) },
    revision,
    isOpen: (run) => maySettle(run, step, outcome),
    change: async (tx, locked) => {
      if (statusOf(locked, step) === "failed")
        return supplyFailedStep(tx, [runId, "step", step, locked.run.generation + 1], given);
      await settleUnknown(tx, resolution, given, generationOf(locked, step));
      await goOnAfterSettling(tx, runId, { asking: outcome === "ask" });
    },
  };
}

const generationOf = ({ steps }: LockedRun, step: string) => steps.find(({ name }) => name === step)?.generation ?? 0;

const statusOf = ({ steps }: LockedRun, step: string) => steps.find(({ name }) => name === step)?.status;

function givenOutcome({ step, outcome, output, ...given }: StepResolution): GivenOutcome {
  const reference = given.reference ?? null;
  if (outcome === "skip") return { status: "skipped", output: encodeValue(undefined), reference };
  const text = output === undefined ? encodeValue(undefined) : encodeGiven(output, `output of step "${step}"`);
  return { status: "completed", output: text, reference };
}

function settleUnknown(
  tx: Db,
  { runId, step, outcome }: StepResolution,
  given: GivenOutcome,
  generation: number,
): Promise<void> {
  switch (outcome) {
    case "happened":
    case "skip":
      return endUnknownStep(tx, [runId, "step", step, generation], given);
    case "did_not_happen":
      return repeatUnknownStep(tx, runId, step);
    case "ask":
      // Its code asks the provider when a worker claims the run again; until then the step stays unknown.
      return Promise.resolve();
  }
}
