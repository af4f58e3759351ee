import type { AppServices, Workflow } from "../engine/workflow";
import type { ClaimedRun } from "../store/claim-runs";
import { createContext, type Performer } from "./context";
import { isKept, keptOutcome } from "./kept-step";
import { OutcomeOrder } from "./outcome-order";
import { inputOf } from "./replay";
import type { StepPlan } from "./step-plan";

/** The code between steps is to be quick; what takes longer than this to come to its next step is not waited for. */
const LONGEST_PAUSE_MS = 5_000;

const never = new Promise<never>(() => undefined);

/**
 * The undo of a step is code that stands beside the step, so the workflow's code is run once more to find it: over kept
 * outcomes only, nothing is executed. Ends when every wanted step has been met, when the code ends, or when it stands still.
 */
export async function collectUndos(
  run: ClaimedRun,
  workflow: Workflow,
  services: AppServices,
  wanted: readonly string[],
): Promise<Map<string, StepPlan>> {
  const rows = new Map(run.steps.map((step) => [step.name, step]));
  const order = new OutcomeOrder(run.steps.filter(isKept).length);
  const missing = new Set(wanted);
  const found = new Map<string, StepPlan>();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      resolve(found);
    };
    const timer = setTimeout(done, LONGEST_PAUSE_MS);
    const meet = async (plan: StepPlan): Promise<unknown> => {
      timer.refresh();
      const row = rows.get(plan.name);
      if (!row || !isKept(row)) return never;
      found.set(plan.name, plan);
      missing.delete(plan.name);
      if (missing.size === 0) done();
      await order.turn(row.finishedPosition);
      return keptOutcome(row);
    };
    const performer: Performer = {
      services,
      step: meet,
      transaction: meet,
      child: meet,
      sleep: async (plan) => void (await meet(plan)),
      log: () => undefined,
      progress: () => undefined,
      checkpoint: () => new Promise((resume) => setImmediate(resume)),
      wait: meet,
    };
    const ctx = createContext(run, workflow, performer);
    (async () => workflow.handler(ctx, await inputOf(run, workflow)))().then(done, done);
  });
}
