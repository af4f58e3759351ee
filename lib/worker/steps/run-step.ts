import { decodeValue } from "../../engine/values/codec";
import type { StepBody } from "../../engine/workflows/workflow";
import type { ClaimedStep } from "../../store/workers/claim-runs";
import { faultPoint } from "../fault-points";
import type { Pass } from "../passes/pass";
import { type AttemptOutcome, attemptBody } from "./attempt";
import { errorText } from "./error-text";
import { type Kept, keepOutcome, keepWaiting } from "./keep-outcome";
import { keptError } from "./kept-error";
import { isKept, keptOutcome } from "./kept-step";
import type { Limits } from "./limits";
import { reconcile } from "./reconcile";
import { resumeStep } from "./resume-step";
import { runBody } from "./running-body";
import { markFirst, markWhenLong } from "./start-mark";
import type { StepPlan } from "./step-plan";
import { StepState } from "./step-state";

/**
 * How a body is run. A plain step returns its outcome, for the interpreter to record; a transaction that has committed
 * its checkpoint together with the app's writes returns what is recorded already.
 */
export type Execute = (state: StepState, given: Given) => Promise<Executed>;

/** The body's data about its attempt. */
type Given = Pick<StepBody, "idempotencyKey" | "attempt" | "log">;

type Executed =
  | { next: "kept"; output: string }
  | (AttemptOutcome & {
      /**
       * Checks for an outcome that the body may have recorded after it was abandoned: a commit cannot be called back.
       */
      keptMeanwhile?: () => Promise<string | undefined>;
    });

export function plainBody<Output>(pass: Pass, body: (body: StepBody) => Output | Promise<Output>): Execute {
  return async (state, given) => {
    const unmark = state.plan.effect === "once" ? () => undefined : markWhenLong(pass, state);
    const outcome = await attemptBody(pass, state, (limits) =>
      runBody({ kind: "body", step: state.plan.name }, () => body(bodyArgument(given, limits))),
    );
    unmark();
    return outcome;
  };
}

function bodyArgument({ idempotencyKey, attempt, log }: Given, limits: Limits): StepBody {
  return {
    idempotencyKey,
    attempt,
    log,
    get signal() {
      return limits.signal;
    },
  };
}

/** Brings one step to its recorded outcome, or returns the one it has. */
export async function runStep(pass: Pass, plan: StepPlan, execute: Execute): Promise<unknown> {
  const row = pass.latestRow(plan.name);
  const live = row?.nextKeyGeneration === null ? row : undefined;
  if (live && isKept(live)) {
    await pass.order.turn(live.finishedPosition);
    return keptOutcome(live);
  }
  const state = new StepState(plan, pass);
  await pass.beginAnew(plan.name);
  try {
    const kept = await toOutcome(pass, state, live, execute);
    await state.turn();
    if (kept.next === "failed") throw keptError(plan.name, kept.error);
    return decodeValue(kept.output);
  } finally {
    state.withoutOutcome();
  }
}

/** Attempt by attempt, with the waits between them. */
async function toOutcome(
  pass: Pass,
  state: StepState,
  live: ClaimedStep | undefined,
  execute: Execute,
): Promise<Extract<Kept, { next: "completed" | "failed" }>> {
  let kept = live && (await pass.work(() => resumeStep(pass, state, live)));
  for (;;) {
    kept ??= await pass.work(() => oneAttempt(pass, state, execute));
    if (kept.next === "unknown") kept = await settleUnknown(pass, state, kept.error);
    if (kept?.next === "completed" || kept?.next === "failed") return kept;
    state.withoutOutcome();
    if (kept?.next === "waiting")
      await pass.park(state.plan.name, { kind: "retry", dueAt: kept.dueAt, dueInMs: kept.dueInMs });
    kept = undefined;
  }
}

/** The provider's answer, or a wait for a person. */
async function settleUnknown(pass: Pass, state: StepState, error: string): Promise<Kept | undefined> {
  const kept = await pass.work(() => reconcile(pass, state, error));
  if (kept?.next === "unknown") await pass.park(state.plan.name, { kind: "operator", dueAt: null, dueInMs: null });
  return kept;
}

async function oneAttempt(pass: Pass, state: StepState, execute: Execute): Promise<Kept> {
  const { name } = state.plan;
  state.begin();
  if (state.plan.effect === "once") await markFirst(pass, state);
  if (pass.abortedBecause) return keepUnbegun(pass, state);
  await faultPoint("step:before-body", name);
  pass.assertOwned();
  const outcome = await execute(state, {
    idempotencyKey: state.idempotencyKey,
    attempt: state.attempt,
    log: logOf(pass, name, state.attempt),
  });
  await faultPoint("step:after-body", name);
  if (outcome.next === "kept") return { next: "completed", output: outcome.output };
  const kept = await keepOutcome(pass, state, outcome);
  const output = await outcome.keptMeanwhile?.();
  return output === undefined ? kept : { next: "completed", output };
}

const logOf =
  (pass: Pass, step: string, attempt: number): StepBody["log"] =>
  (message, data) =>
    pass.notes.log({ during: "body", step, attempt }, message, data);

/** The pass was stopped while the start was being marked: nothing has happened, and nothing will. */
function keepUnbegun(pass: Pass, state: StepState): Promise<Kept> {
  const attempt = state.attemptRow("interrupted", errorText(pass.abortedBecause));
  return keepWaiting(pass, state, attempt, state.row("waiting", { next: { inMs: 0 } }));
}
