import type { LimitPlan } from "../../engine/queues/step-limit";
import type { StepBody } from "../../engine/workflows/step-options";
import type { ClaimTrace, TracedSpan } from "../../traces/claim-trace";
import { within } from "../../traces/tracing";
import type { Claim } from "../claims/claim";
import { faultPoint } from "../fault-points";
import { headersOf } from "../passes/context";
import type { Pass } from "../passes/pass";
import { isThenable } from "../passes/promises";
import type { Permits } from "../queues/permits";
import { around } from "./around";
import { type AttemptOutcome, attemptBody } from "./attempt";
import { errorText } from "./error-text";
import { type Ended, type Kept, keepOutcome, keepWaiting } from "./keep-outcome";
import type { Limits } from "./limits";
import { reconcile } from "./reconcile";
import { resumeStep } from "./resume-step";
import { runBody } from "./running-body";
import { markFirst, markWhenLong } from "./start-mark";
import type { StepState } from "./step-state";

/**
 * How a body is run. A plain step returns its outcome, for the interpreter to record; a transaction that has committed
 * its checkpoint together with the app's writes returns what is recorded already.
 */
export type Execute = (state: StepState, given: Given) => Executed | Promise<Executed>;

/** The body's data about its attempt. */
type Given = Pick<StepBody, "idempotencyKey" | "attempt" | "headers" | "log" | "traceparent">;

type Executed =
  | { next: "kept"; output: string }
  | (AttemptOutcome & {
      /**
       * Checks for an outcome that the body may have recorded after it was abandoned: a commit cannot be called back.
       */
      keptMeanwhile?: () => Promise<string | undefined>;
    });

export function plainBody({ claim, rest }: Pass, body: (body: StepBody) => unknown): Execute {
  return (state, given) => {
    const outcome = attemptBody(rest, state, (limits) =>
      runBody({ kind: "body", step: state.plan.name, captured: claim.capturing(given.log) }, () => {
        const argument = bodyArgument(given, limits);
        if (state.plan.kind !== "step") return body(argument);
        const { name: step, effect } = state.plan;
        return around(
          claim,
          () => ({ ...given, kind: "step", step, effect, signal: argument.signal }),
          () => body(argument),
          limits,
        );
      }),
    );
    if (!isThenable(outcome)) return outcome;
    const unmark = markWhenLong(claim, state);
    return outcome.then((ended) => {
      unmark();
      return ended;
    });
  };
}

function bodyArgument({ idempotencyKey, attempt, headers, log, traceparent }: Given, limits: Limits): StepBody {
  return {
    idempotencyKey,
    attempt,
    headers,
    log,
    traceparent,
    get signal() {
      return limits.signal;
    },
  };
}

/** Attempt by attempt, with the waits between them. */
export async function runStep(pass: Pass, state: StepState, execute: Execute, permits: Permits): Promise<Ended> {
  const { claim, rest } = pass;
  const { live, plan } = state;
  if (live?.status === "running") claim.trace?.lostStep(live);
  let kept = live && (await rest.work(() => resumeStep(claim, state, live)));
  for (;;) {
    kept ??= await rest.work(() => permittedAttempt(pass, state, execute, permits));
    if (kept.next === "unknown") kept = await settleUnknown(pass, state, kept.error);
    if (kept?.next === "completed" || kept?.next === "failed") return kept;
    state.withoutOutcome();
    if (kept?.next === "waiting")
      await rest.park(plan.name, { kind: kept.reason ?? "retry", dueAt: kept.dueAt, dueInMs: kept.dueInMs });
    kept = undefined;
  }
}

/** The provider's answer, or a wait for a person. */
async function settleUnknown({ claim, rest }: Pass, state: StepState, error: string): Promise<Kept | undefined> {
  const span = claim.trace?.reconcile(state);
  const kept = await rest.work(() =>
    within(span?.context ?? claim.root, () => reconcile(claim, rest.bodies, state, error)),
  );
  span?.end(kept?.next ?? "not known");
  if (kept?.next === "unknown") await rest.park(state.plan.name, { kind: "operator", dueAt: null, dueInMs: null });
  return kept;
}

function permittedAttempt(pass: Pass, state: StepState, execute: Execute, permits: Permits): Promise<Kept> {
  const { limits } = state.plan;
  return limits ? limitedAttempt(pass, state, execute, limits, permits) : oneAttempt(pass, state, execute);
}

/** The permits are free again with the record of the outcome. */
async function limitedAttempt(
  pass: Pass,
  state: StepState,
  execute: Execute,
  limits: readonly LimitPlan[],
  permits: Permits,
): Promise<Kept> {
  const refused = await permits.take(pass.claim, state, limits);
  if (refused) return refused;
  const kept = await oneAttempt(pass, state, execute);
  permits.release(limits);
  return kept;
}

function oneAttempt(pass: Pass, state: StepState, execute: Execute): Promise<Kept> {
  state.begin();
  const { trace } = pass.claim;
  return trace ? tracedAttempt(trace, pass, state, execute) : attemptAndKeep(pass, state, execute);
}

async function tracedAttempt(trace: ClaimTrace, pass: Pass, state: StepState, execute: Execute): Promise<Kept> {
  const span = trace.step(state);
  const kept = await attemptAndKeep(pass, state, traced(trace, span, execute));
  span.end(kept.next);
  return kept;
}

/** Runs the body with the span of its attempt active. */
const traced =
  (trace: ClaimTrace, step: TracedSpan, execute: Execute): Execute =>
  async (state, given) => {
    const span = trace.attempt(state, step);
    const outcome = await within(span.context, () => execute(state, { ...given, traceparent: span.traceparent }));
    if (outcome.next === "kept" || outcome.next === "completed") span.end("completed");
    else span.end(outcome.next, outcome.error);
    return outcome;
  };

async function attemptAndKeep({ claim, rest }: Pass, state: StepState, execute: Execute): Promise<Kept> {
  const { name } = state.plan;
  if (state.effect === "once") await markFirst(claim, state);
  if (rest.bodies.because) return keepUnbegun(claim, state, rest.bodies.because);
  // Also where no fault is tried: a body never begins within the call that asks for its step.
  await faultPoint("step:before-body", name);
  claim.assertOwned();
  const executed = execute(state, {
    idempotencyKey: state.idempotencyKey,
    attempt: state.attempt,
    headers: headersOf(claim.run),
    log: logOf(claim, name, state.attempt),
    traceparent: claim.traceparent,
  });
  const outcome = isThenable(executed) ? await executed : executed;
  // Not awaited without need: each step of each run passes here.
  const after = faultPoint("step:after-body", name);
  if (after) await after;
  claim.tally.attempted(outcome.next === "kept" ? "completed" : outcome.next, state.attempt);
  if (outcome.next === "kept") return { next: "completed", output: outcome.output };
  const kept = await keepOutcome(claim, state, outcome);
  const output = outcome.keptMeanwhile && (await outcome.keptMeanwhile());
  return output === undefined ? kept : { next: "completed", output };
}

const logOf =
  (claim: Claim, step: string, attempt: number): StepBody["log"] =>
  (message, data, level) =>
    claim.notes.log({ during: "body", step, attempt }, message, data, level);

/** The pass was stopped while the start was being marked: nothing has happened, and nothing will. */
function keepUnbegun(claim: Claim, state: StepState, because: Error): Promise<Kept> {
  const attempt = state.attemptRow("interrupted", errorText(because));
  return keepWaiting(claim, state, attempt, state.row("waiting", { next: { inMs: 0 } }));
}
