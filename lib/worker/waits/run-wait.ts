import { decodeValue } from "../../engine/values/codec";
import type { Pass } from "../passes/pass";
import { keptError } from "../steps/kept-error";
import { isKept, keptOutcome } from "../steps/kept-step";
import type { StepPlan } from "../steps/step-plan";
import { StepState } from "../steps/step-state";
import type { EventInquiry } from "./ask-for-events";
import type { WaitPlan } from "./wait-plan";

/** Frees the worker until there is an event for the step, or it times out. */
export async function runWait(pass: Pass, inquiry: EventInquiry, plan: StepPlan, wait: WaitPlan): Promise<unknown> {
  const row = pass.latestRow(plan.name);
  const live = row?.nextKeyGeneration === null ? row : undefined;
  if (live && isKept(live)) {
    await pass.order.turn(live.finishedPosition);
    return keptOutcome(live);
  }
  const state = new StepState(plan, pass);
  await pass.beginAnew(plan.name);
  if (live) state.recall(live);
  else state.begin();
  try {
    const asked = await untilOver(pass, inquiry, state, wait);
    await state.turn();
    if (asked.next === "failed") throw keptError(plan.name, asked.error);
    return decodeValue(asked.output);
  } finally {
    state.withoutOutcome();
  }
}

async function untilOver(pass: Pass, inquiry: EventInquiry, state: StepState, wait: WaitPlan) {
  for (;;) {
    const asked = await pass.work(() => inquiry.ask(state, wait));
    if (asked.next !== "waiting") return asked;
    const { dueAt, dueInMs } = asked;
    await pass.park(state.plan.name, { kind: wait.kind, dueAt, dueInMs });
  }
}
