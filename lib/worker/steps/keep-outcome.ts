import { isBlobUnavailable } from "../../engine/values/blob";
import { encodeValue } from "../../engine/values/codec";
import { isLarge } from "../../engine/values/is-large";
import { WORKER_LOST } from "../../store/steps/cut-off-steps";
import type { KeptStep } from "../../store/steps/record";
import type { AttemptRecord, StepRecord } from "../../store/workers/claim-record";
import type { StopReason } from "../passes/stop-reason";
import type { AttemptOutcome } from "./attempt";
import { errorText } from "./error-text";
import { shownText } from "./shown-text";
import { markWhenLong } from "./start-mark";
import type { StepClaim } from "./step-claim";
import type { StepState } from "./step-state";

/** The step's row after an attempt. */
export type Kept =
  | { next: "completed"; output: string }
  | { next: "failed"; error: string }
  | { next: "waiting"; dueAt: string | null; dueInMs: number; reason?: "permit" }
  | { next: "unknown"; error: string };

/** The step's outcome for the code. */
export type Ended = Extract<Kept, { next: "completed" | "failed" }>;

export type CompletedRow = StepRecord & { output: string };

/** The only interpreter of an attempt's outcome. */
export function keepOutcome(claim: StepClaim, state: StepState, outcome: AttemptOutcome): Promise<Kept> {
  switch (outcome.next) {
    case "completed":
      return keepOutput(claim, state, outcome.output);
    case "failed":
      return keepFailure(claim, state, errorText(outcome.error));
    case "unknown":
      // The step's row describes the attempt in doubt; the last one, if it was another, gets a separate row.
      return keepUnknown(
        claim,
        state,
        outcome.ambiguous ? undefined : state.attemptRow("failed", errorText(outcome.error)),
      );
    case "retry": {
      const error = errorText(outcome.error);
      const attempt = state.attemptRow(outcome.ambiguous ? "unknown" : "failed", error);
      return keepWaiting(claim, state, attempt, state.row("waiting", { error, next: { inMs: outcome.delayMs } }));
    }
    case "interrupted":
      return keepInterruption(claim, state, outcome.error, outcome.by);
  }
}

/** Records the body's result; an output that cannot be stored fails the step and says where. */
async function keepOutput(claim: StepClaim, state: StepState, value: unknown): Promise<Kept> {
  let output: string;
  try {
    output = encodedOutput(claim, state, value);
  } catch (error) {
    return keepFailure(claim, state, errorText(error));
  }
  try {
    const stored = isLarge(output) ? await storedAfterBody(claim, state, output) : output;
    await claim.keep({ step: completedRow(state, value, stored) });
    return { next: "completed", output };
  } catch (error) {
    // The body has had its effect: this attempt has no recorded outcome, and has not failed.
    if (isBlobUnavailable(error)) return keepInterruption(claim, state, error, claim.stopReason);
    throw error;
  }
}

/** The store may be waited for long: meanwhile the attempt is on record, as that of a long body is. */
async function storedAfterBody(claim: StepClaim, state: StepState, output: string): Promise<string> {
  const unmark = markWhenLong(claim, state);
  try {
    return await storedOutput(claim, state, output);
  } finally {
    unmark();
  }
}

/** @throws HandrailError `invalid_value` or `value_too_large` */
export const encodedOutput = (claim: StepClaim, { plan }: StepState, value: unknown): string =>
  encodeValue(value, `output of step "${plan.name}"`, claim.bounds);

/** What stands in the step's row for its output. @throws HandrailError `blob_unavailable` */
export const storedOutput = (
  claim: StepClaim,
  { plan, generation }: StepState,
  output: string,
  patience?: number,
): string | Promise<string> => claim.stored([claim.run.id, "step", plan.name, generation], output, patience);

/** @param output as it is stored */
export function completedRow(state: StepState, value: unknown, output: string): CompletedRow {
  const { plan } = state;
  const reference = shownText(() => plan.reference(value));
  const instructions = shownText(() =>
    typeof plan.instructions === "function" ? plan.instructions(value) : plan.instructions,
  );
  return state.row("completed", { reference, instructions, output }) as CompletedRow;
}

export async function keepFailure(claim: StepClaim, state: StepState, error: string): Promise<Kept> {
  await claim.keep({ step: state.row("failed", { error }) });
  return { next: "failed", error };
}

export async function keepUnknown(
  claim: StepClaim,
  state: StepState,
  attempt?: AttemptRecord,
  workerId: number | null = claim.workerId,
): Promise<Kept> {
  const error = state.doubt ?? WORKER_LOST;
  claim.leftDoubt = true;
  await claim.keep({ step: state.row("unknown", { error, workerId }), ...(attempt && { attempt }) });
  return { next: "unknown", error };
}

/** Until the blob store is tried again. */
const STORE_PAUSE_MS = 5_000;

/** Stopped in its body, or by the blob store after it: the next worker of the run tries it again, unless a repetition could do harm. */
function keepInterruption(
  claim: StepClaim,
  state: StepState,
  thrown: unknown,
  by: StopReason | undefined,
): Promise<Kept> {
  const { effect, leavesDoubt } = state;
  const error = errorText(thrown);
  const inMs = isBlobUnavailable(thrown) ? STORE_PAUSE_MS : 0;
  if (leavesDoubt) state.doubt = error;
  const endsHere = by === "cancelled" || by === "timed_out";
  if (leavesDoubt && (effect === "once" || endsHere)) return keepUnknown(claim, state);
  return keepWaiting(claim, state, state.attemptRow("interrupted", error), state.row("waiting", { next: { inMs } }));
}

export async function keepWaiting(
  claim: StepClaim,
  state: StepState,
  attempt: AttemptRecord,
  step: StepRecord,
): Promise<Kept> {
  if (step.doubt !== null) claim.leftDoubt = true;
  const receipt = await claim.keep({ step, attempt });
  return waiting(receipt.steps.get(state.plan.name));
}

export function waiting(kept: KeptStep | undefined): Kept & { next: "waiting" } {
  return { next: "waiting", dueAt: kept?.dueAt ?? null, dueInMs: kept?.dueInMs ?? 0 };
}
