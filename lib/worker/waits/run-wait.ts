import type { Rest } from "../passes/rest";
import type { Ended } from "../steps/keep-outcome";
import type { StepState } from "../steps/step-state";
import type { EventInquiry } from "./ask-for-events";
import type { WaitPlan } from "./wait-plan";

/** Frees the worker until there is an event for the step, or it times out. */
export async function runWait(rest: Rest, inquiry: EventInquiry, state: StepState, wait: WaitPlan): Promise<Ended> {
  if (state.live) state.recall(state.live);
  else state.begin();
  for (;;) {
    const asked = await rest.work(() => inquiry.ask(state, wait));
    if (asked.next !== "waiting") return asked;
    const { dueAt, dueInMs } = asked;
    await rest.park(state.plan.name, { kind: wait.kind, dueAt, dueInMs });
  }
}
