import type { Until } from "../passes/context";
import type { Pass } from "../passes/pass";
import { waiting } from "../steps/keep-outcome";
import { isKept, keptOutcome } from "../steps/kept-step";
import type { StepPlan } from "../steps/step-plan";
import { StepState } from "../steps/step-state";

/** `encodeValue(undefined)`: the output of a sleep. */
export const NOTHING = '{"$type":"undefined"}';

/**
 * Frees the worker until the instant by the database's clock. Takes effect once: its end is recorded like any step's
 * outcome.
 */
export async function runSleep(pass: Pass, plan: StepPlan, until: Until): Promise<void> {
  const row = pass.latestRow(plan.name);
  const live = row?.nextKeyGeneration === null ? row : undefined;
  if (live && isKept(live)) {
    await pass.order.turn(live.finishedPosition);
    return void keptOutcome(live);
  }
  const state = new StepState(plan, pass);
  await pass.beginAnew(plan.name);
  if (live) state.recall(live);
  const kept = live ? waiting(live) : await pass.work(() => fallAsleep(pass, state, until));
  if (kept.dueInMs > 0) await pass.park(plan.name, { kind: "timer", dueAt: kept.dueAt, dueInMs: kept.dueInMs });
  try {
    await pass.work(() => pass.keep({ step: state.row("completed", { output: NOTHING }) }));
    await state.turn();
  } finally {
    state.withoutOutcome();
  }
}

async function fallAsleep(pass: Pass, state: StepState, until: Until) {
  state.begin();
  const receipt = await pass.keep({ step: state.row("waiting", { next: until }) });
  return waiting(receipt.steps.get(state.plan.name));
}
