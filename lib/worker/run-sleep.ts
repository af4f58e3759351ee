import type { Until } from "./context";
import { waiting } from "./keep-outcome";
import type { Pass } from "./pass";
import type { StepPlan } from "./step-plan";
import { StepState } from "./step-state";

/** `encodeValue(undefined)`: what a sleep gives. */
const NOTHING = '{"$type":"undefined"}';

/** Frees the worker until the database's clock says so. Takes effect once: its end is kept like any step's outcome. */
export async function runSleep(pass: Pass, plan: StepPlan, until: Until): Promise<void> {
  const row = pass.latestRow(plan.name);
  const live = row?.nextKeyGeneration === null ? row : undefined;
  if (live?.status === "completed" || live?.status === "skipped") return;
  const state = new StepState(plan, pass);
  if (live) state.recall(live);
  const kept = live ? waiting(live) : await pass.work(() => fallAsleep(pass, state, until));
  if (kept.dueInMs > 0) await pass.park(plan.name, { kind: "timer", dueAt: kept.dueAt, dueInMs: kept.dueInMs });
  await pass.work(() => pass.keep({ step: state.row("completed", { output: NOTHING }) }));
}

async function fallAsleep(pass: Pass, state: StepState, until: Until) {
  state.begin();
  const receipt = await pass.keep({ step: state.row("waiting", { next: until }) });
  return waiting(receipt.steps.get(state.plan.name));
}
