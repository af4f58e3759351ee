import type { Until } from "../passes/context";
import type { Pass } from "../passes/pass";
import { type Ended, waiting } from "../steps/keep-outcome";
import type { StepClaim } from "../steps/step-claim";
import type { StepState } from "../steps/step-state";

/** `encodeValue(undefined)`: the output of a sleep. */
export const NOTHING = '{"$type":"undefined"}';

/**
 * Frees the worker until the instant by the database's clock. Takes effect once: its end is recorded like any step's
 * outcome.
 */
export async function runSleep({ claim, rest }: Pass, state: StepState, until: Until): Promise<Ended> {
  const { live, plan } = state;
  if (live) state.recall(live);
  const kept = live ? waiting(live) : await rest.work(() => fallAsleep(claim, state, until));
  if (kept.dueInMs > 0) await rest.park(plan.name, { kind: "timer", dueAt: kept.dueAt, dueInMs: kept.dueInMs });
  await rest.work(() => claim.keep({ step: state.row("completed", { output: NOTHING }) }));
  return { next: "completed", output: NOTHING };
}

export async function fallAsleep(claim: StepClaim, state: StepState, until: Until) {
  state.begin();
  const receipt = await claim.keep({ step: state.row("waiting", { next: until }) });
  return waiting(receipt.steps.get(state.plan.name));
}
