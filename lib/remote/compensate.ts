import { HandrailError } from "../engine/errors";
import type { RunStatus } from "../engine/runs/run";
import { compensationIdempotencyKey } from "../engine/steps/idempotency-key";
import { withRetryDefaults } from "../engine/steps/retry-policy";
import type { Desk } from "../operator/desk";
import { asJson } from "../operator/values";
import {
  beginCompensation,
  type CompensationResult,
  findCompensation,
  keepCompensation,
} from "../store/compensations/next-compensation";
import type { Json } from "../store/rows";
import { holdRun } from "../store/workers/hold-run";
import { errorText } from "../worker/steps/error-text";
import { nextAttempt } from "../worker/steps/next-attempt";
import { type AskedRetry, retryOf } from "./ask";
import { type ClaimOf, type HeldClaim, underClaim } from "./held-claim";
import { claimLost } from "./refusals";
import { type ReportedError, reportedError, type Verdict } from "./reported-error";

export type NextUndo =
  /** Run this step's compensation now; its attempt is on record. */
  | { next: "undo"; step: string; generation: number; attempt: number; idempotencyKey: string; output: Json }
  /** None can run now, and the claim has ended with this answer. */
  | { next: "none"; status: RunStatus };

/**
 * The next compensation of a run: strictly in reverse order of completion. Requested again before its outcome is
 * recorded, it begins the same one again, with the same key.
 * @throws HandrailError `claim_lost`, `not_allowed` for a run that is not compensated
 */
export function nextCompensation(desk: Desk, of: ClaimOf): Promise<NextUndo> {
  const ended = ({ status }: { status: RunStatus }) => ({ next: "none", status }) as const;
  return underClaim<NextUndo>(desk, of, { steps: [], ended }, async ({ tx, run, workerId, held }) => {
    if (run.status !== "compensating")
      throw new HandrailError("not_allowed", "The run is not being compensated: ask for its steps.");
    if (!held.leaseHolds) throw claimLost(run.id);
    const current = await beginCompensation(tx, run.id, run.epoch, workerId);
    if (current === "lost") throw claimLost(run.id);
    if (current === "none") return ended((await holdRun(tx, run.id)) ?? run);
    const { step, generation, attempt, keyGeneration, output } = current;
    const idempotencyKey = compensationIdempotencyKey(run.id, step, keyGeneration);
    return { next: "undo", step, generation, attempt, idempotencyKey, output: asJson(output) };
  });
}

type ReportedUndo = { generation: number; attempt: number } & (
  | { outcome: "completed" }
  | ({ outcome: "failed"; error: ReportedError; retry?: AskedRetry } & Verdict)
);

export interface UndoStanding {
  /** `owed`: retried by the policy. `failed`: needs a person. */
  status: CompensationResult["to"];
}

/**
 * Records the outcome of a compensation. The same outcome sent again gets the same answer.
 * @throws HandrailError `claim_lost`, `not_allowed` for an attempt that was never begun or is over
 */
export async function recordCompensation(
  desk: Desk,
  of: ClaimOf & { step: string },
  reported: ReportedUndo,
): Promise<UndoStanding> {
  const standing = await underClaim<UndoStanding>(desk, of, { steps: [] }, async (claim) => {
    const { tx, run } = claim;
    const known = await findCompensation(tx, run.id, of.step, reported.generation);
    if (!known || known.attempt !== reported.attempt) throw notBegun(of.step, reported.attempt);
    if (known.status !== "running") return { status: known.status as CompensationResult["to"] };
    const outcome = await outcomeOf(claim, known.failures, reported);
    const current = { step: of.step, generation: reported.generation, attempt: reported.attempt };
    if ((await keepCompensation(tx, run.id, run.epoch, current, outcome)) === "lost") throw claimLost(run.id);
    return { status: outcome.to };
  });
  // The last one ends the run; a failed one needs a person.
  if (standing.status !== "owed") desk.notifier.changeAtOnce([of.runId]);
  return standing;
}

async function outcomeOf(
  { tx, run }: HeldClaim,
  failures: number,
  reported: ReportedUndo,
): Promise<CompensationResult> {
  if (reported.outcome === "completed") return { to: "completed" };
  const thrown = reportedError(reported.error, { ...reported, mayHaveHappened: false });
  const error = errorText(thrown);
  const decision = nextAttempt(withRetryDefaults(await retryOf(tx, run), reported.retry), failures + 1, thrown);
  return decision.retry ? { to: "owed", error, delayMs: decision.delayMs } : { to: "failed", error };
}

const notBegun = (step: string, attempt: number) =>
  new HandrailError(
    "not_allowed",
    `Attempt ${attempt} of the compensation of "${step}" is not under way. Ask for the next compensation.`,
  );
