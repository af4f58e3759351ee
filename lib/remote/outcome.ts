import { HandrailError } from "../engine/errors";
import type { Desk } from "../operator/desk";
import { checkGiven } from "../operator/given-value";
import type { ClaimedStep } from "../store/workers/claim-runs";
import type { HeldStep } from "../store/workers/hold-run";
import { classify } from "../worker/steps/attempt";
import { keepOutcome } from "../worker/steps/keep-outcome";
import { planStep } from "../worker/steps/step-plan";
import { StepState } from "../worker/steps/step-state";
import { FOR_A_PERSON, keptOutcomeOf, type Standing, standingOf, waits } from "./answers";
import { type AskedRetry, isUnderWay, retryOf } from "./ask";
import { compensationOptions, type DeclaredCompensation, declaredBefore } from "./declared-compensation";
import { type ClaimOf, type HeldClaim, underClaim } from "./held-claim";
import { type ReportedError, reportedError, type Verdict } from "./reported-error";

/** The outcome of an attempt. */
export type Outcome = { attempt: number } & (
  | ({
      outcome: "completed";
      /** Parsed JSON. */
      output: unknown;
      /** The provider's id for the effect. */
      reference?: string;
    } & DeclaredCompensation)
  | ({ outcome: "failed"; error: ReportedError; retry?: Omit<AskedRetry, "maxAttempts"> } & Verdict)
);

/**
 * Records the outcome of an attempt, and returns the step's status: the engine's retry policy decides. The same outcome
 * sent again gets the same answer.
 * @throws HandrailError `claim_lost`, `unknown_step`, `not_allowed` for an attempt that was never begun or is over,
 * `invalid_input`
 */
export function recordOutcome(desk: Desk, of: ClaimOf & { step: string }, given: Outcome): Promise<Standing> {
  return underClaim(desk, of, { steps: [of.step] }, async (claim) => {
    const row = claim.latestRow(of.step);
    if (!row) throw new HandrailError("unknown_step", `The run has no step "${of.step}". Ask for it first.`);
    if (!isUnderWay(claim, row) || row.attempt !== given.attempt) return currentOutcome(row, given.attempt);
    return keep(claim, row, given);
  });
}

async function keep(claim: HeldClaim, row: HeldStep, given: Outcome): Promise<Standing> {
  const state = stateOf(claim, row, given, await retryOf(claim.tx, claim.run));
  state.recall(row);
  if (given.outcome === "failed")
    return standingOf(await keepOutcome(claim, state, classify(state, reportedError(given.error, given))));
  // A value that cannot be stored is refused: its worker decides what that means for the step.
  const output = checkGiven(given.output, `output of step "${row.name}"`);
  const kept = await keepOutcome(claim, state, { next: "completed", output });
  return standingOf(kept, given.reference ?? null);
}

/** The step as declared when it was requested; an outcome may declare another compensation. */
function stateOf(claim: HeldClaim, row: HeldStep, given: Outcome, retry: Parameters<typeof planStep>[3]): StepState {
  const { name, effect, maxAttempts } = row;
  const options =
    given.outcome === "failed"
      ? { retry: { ...given.retry, maxAttempts }, ...compensationOptions(declaredBefore(row)) }
      : { reference: () => given.reference, ...compensationOptions(given.compensate ? given : declaredBefore(row)) };
  return new StepState(planStep(name, "step", { effect, ...options }, retry), claim);
}

/** Repeated or late: the step's outcome, if this attempt produced it. */
function currentOutcome(row: ClaimedStep, attempt: number): Standing {
  const kept = row.attempt === attempt ? keptOutcomeOf(row) : undefined;
  if (kept) return kept;
  if (row.attempt === attempt && row.status === "waiting") return waits("retry", row);
  if (row.attempt === attempt && row.status === "unknown") return FOR_A_PERSON;
  throw new HandrailError(
    "not_allowed",
    `Attempt ${attempt} of step "${row.name}" is not under way in this claim; the last one is ${row.attempt}. Ask for the step, and record under the attempt that the answer names.`,
    { attempt: row.attempt, status: row.status },
  );
}
