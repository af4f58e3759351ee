import { HandrailError } from "../engine/errors";
import { DEFAULT_RETRY, type RetryPolicy, withRetryDefaults } from "../engine/steps/retry-policy";
import type { Effect } from "../engine/steps/step";
import type { Desk } from "../operator/desk";
import type { Db } from "../store/db";
import type { ClaimedStep } from "../store/workers/claim-runs";
import type { HeldRun } from "../store/workers/hold-run";
import { selectRemoteDefinition } from "../store/workers/remote-workers";
import { resumeStep } from "../worker/steps/resume-step";
import { planStep, type StepPlan } from "../worker/steps/step-plan";
import { StepState } from "../worker/steps/step-state";
import { FOR_A_PERSON, keptOutcomeOf, type Standing, waits } from "./answers";
import { compensationOptions, type DeclaredCompensation } from "./declared-compensation";
import { type ClaimOf, type HeldClaim, refuseUnlessRunning, underClaim } from "./held-claim";
import { claimLost } from "./refusals";
import { askToSleep, type Until } from "./sleep";
import { askToWait, type WaitAsk } from "./wait";

export type AskedRetry = Partial<Omit<RetryPolicy, "retryIf">>;

/** "May I run this step?", with its author's options. */
type StepAsk =
  | ({ kind: "step"; effect: Effect; retry?: AskedRetry } & DeclaredCompensation)
  | ({ kind: "sleep" } & Until)
  | WaitAsk;

export type Permission =
  /** Its body may run, now and once; its outcome is to be recorded under this attempt. */
  | { next: "go"; attempt: number; epoch: number; idempotencyKey: string }
  | Standing
  /** Begin nothing more, and hand the run back, which decides how it goes on. */
  | { next: "stop"; because: "cancelled" | "timed_out" | "paused" | "held" };

/**
 * Whether the owner of a claim may run a step. The start is on record before the answer leaves: if the worker is lost,
 * the step is known to have begun.
 * @throws HandrailError `claim_lost`, `not_allowed`, `invalid_workflow`
 */
export function ask(desk: Desk, of: ClaimOf & { step: string }, given: StepAsk): Promise<Permission> {
  const eventKeys = given.kind === "event" ? [{ event: given.event, key: given.key ?? null }] : [];
  return underClaim(desk, of, { steps: [of.step], eventKeys }, async (claim) => {
    // A worker that was frozen past its lease must not begin anything, even before its runs are taken over.
    if (!claim.held.leaseHolds) throw claimLost(of.runId);
    refuseUnlessRunning(claim.run);
    const because = reasonToStop(claim.run) ?? (claim.held.workflowHeld ? "held" : undefined);
    if (because) return { next: "stop", because };
    const row = claim.latestRow(of.step);
    const kept = keptOutcomeOf(row);
    if (kept) return kept;
    const live = row?.nextKeyGeneration === null ? row : undefined;
    if (live && live.kind !== given.kind) throw otherKind(of.step, live.kind, given.kind);
    return answerTo(claim, of.step, given);
  });
}

async function answerTo(claim: HeldClaim, step: string, given: StepAsk): Promise<Permission> {
  if (given.kind === "sleep") return askToSleep(claim, step, given);
  if (given.kind !== "step") return askToWait(claim, step, given);
  // Known before the body runs: a person may declare an outcome that this worker never records.
  const options = { effect: given.effect, ...(given.retry && { retry: given.retry }), ...compensationOptions(given) };
  return begin(claim, planStep(step, "step", options, await retryOf(claim.tx, claim.run)));
}

/** The hand-back checks this too: how such a run ends. */
export function reasonToStop(run: HeldRun): "cancelled" | "paused" | "timed_out" | undefined {
  if (run.cancelRequested) return "cancelled";
  if (run.deadlineInMs !== null && run.deadlineInMs <= 0) return "timed_out";
  return run.pauseRequested ? "paused" : undefined;
}

/** The policy of the run's workflow: of the version that it began with, if a worker has registered that one. */
export async function retryOf(tx: Db, { workflow, version }: HeldRun): Promise<RetryPolicy> {
  return withRetryDefaults(DEFAULT_RETRY, (await selectRemoteDefinition(tx, workflow, version))?.retry);
}

async function begin(claim: HeldClaim, plan: StepPlan): Promise<Permission> {
  const state = new StepState(plan, claim);
  const { live } = state;
  if (live && isUnderWay(claim, live)) return goOn(claim, state, live);
  const resumed = live && (await resumeStep(claim, state, live));
  if (resumed?.next === "waiting") return waits("retry", resumed);
  if (resumed) return FOR_A_PERSON;
  state.begin();
  await claim.keep({ step: state.row("running") });
  return go(claim, state);
}

/** Begun in this very claim: no claim ends and leaves a running step of its owner. */
export const isUnderWay = (claim: HeldClaim, row: ClaimedStep) =>
  row.status === "running" && row.workerId === claim.workerId && row.nextKeyGeneration === null;

/**
 * The answer to the first question was lost, or its body ran and its outcome was never recorded: both look the same
 * here.
 */
function goOn(claim: HeldClaim, state: StepState, live: ClaimedStep): Permission {
  if (live.effect !== "once") return go(claim, state);
  throw new HandrailError(
    "not_allowed",
    `Attempt ${live.attempt} of step "${live.name}" is under way in this claim, and its effect is once: record its outcome. (A question whose answer may have been lost is asked again with the same Idempotency-Key.)`,
    { attempt: live.attempt },
  );
}

const go = ({ run }: HeldClaim, { attempt, idempotencyKey }: StepState): Permission => ({
  next: "go",
  attempt,
  epoch: run.epoch,
  idempotencyKey,
});

const otherKind = (step: string, recorded: string, asked: string) =>
  new HandrailError("not_allowed", `The run has "${step}" as a ${recorded}; it cannot be asked for as a ${asked}.`);
