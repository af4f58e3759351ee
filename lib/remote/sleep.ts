import { DEFAULT_RETRY } from "../engine/steps/retry-policy";
import type { ClaimedStep } from "../store/workers/claim-runs";
import { waiting } from "../worker/steps/keep-outcome";
import { planStep } from "../worker/steps/step-plan";
import { StepState } from "../worker/steps/step-state";
import { NOTHING } from "../worker/waits/run-sleep";
import { type Standing, waits } from "./answers";
import type { HeldClaim } from "./held-claim";

/** From the first request on, by the database's clock; or an instant. */
export type Until = { forMs: number } | { until: string };

/** Begins a sleep, or ends one that is due: its end is recorded like any step's outcome. */
export async function askToSleep(
  claim: HeldClaim,
  step: string,
  live: ClaimedStep | undefined,
  until: Until,
): Promise<Standing> {
  const state = new StepState(planStep(step, "sleep", {}, DEFAULT_RETRY), claim);
  if (live) state.recall(live);
  const kept = live ? waiting(live) : await fallAsleep(claim, state, until);
  if (kept.dueInMs > 0) return waits("timer", kept);
  await claim.keep({ step: state.row("completed", { output: NOTHING }) });
  return { next: "completed", output: null, reference: null };
}

async function fallAsleep(claim: HeldClaim, state: StepState, until: Until) {
  state.begin();
  const next = "until" in until ? { at: until.until } : { inMs: until.forMs };
  const receipt = await claim.keep({ step: state.row("waiting", { next }) });
  return waiting(receipt.steps.get(state.plan.name));
}
