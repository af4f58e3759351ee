import { DEFAULT_RETRY } from "../engine/steps/retry-policy";
import { waiting } from "../worker/steps/keep-outcome";
import { planStep } from "../worker/steps/step-plan";
import { StepState } from "../worker/steps/step-state";
import { fallAsleep, NOTHING } from "../worker/waits/run-sleep";
import { type Standing, waits } from "./answers";
import type { HeldClaim } from "./held-claim";

/** From the first request on, by the database's clock; or an instant. */
export type Until = { forMs: number } | { until: string };

/** Begins a sleep, or ends one that is due: its end is recorded like any step's outcome. */
export async function askToSleep(claim: HeldClaim, step: string, until: Until): Promise<Standing> {
  const state = new StepState(planStep(step, "sleep", {}, DEFAULT_RETRY), claim);
  const { live } = state;
  if (live) state.recall(live);
  const instant = "until" in until ? { at: until.until } : { inMs: until.forMs };
  const kept = live ? waiting(live) : await fallAsleep(claim, state, instant);
  if (kept.dueInMs > 0) return waits("timer", kept);
  await claim.keep({ step: state.row("completed", { output: NOTHING }) });
  return { next: "completed", output: null, reference: null };
}
