import { runTimedOut, startExpired } from "../../engine/runs/run-deadline";
import { isBlob } from "../../engine/values/blob";
import { encodeValue } from "../../engine/values/codec";
import { isLarge } from "../../engine/values/is-large";
import type { Workflow } from "../../engine/workflows/workflow";
import { failAndCompensate } from "../../store/compensations/fail-and-compensate";
import type { Db } from "../../store/db";
import { keepRunTitle } from "../../store/runs/keep-run-title";
import { cutOffSteps } from "../../store/steps/cut-off-steps";
import type { RunChange } from "../../store/workers/claim-record";
import type { ClaimedRun } from "../../store/workers/claim-runs";
import { faultPoint } from "../fault-points";
import { ItemsFailed } from "../maps/run-page";
import type { Pass } from "../passes/pass";
import { type Means, replay } from "../passes/replay";
import type { PassOutcome, Rest } from "../passes/rest";
import { errorText } from "../steps/error-text";
import { failedStepOf } from "../steps/kept-error";
import { Drift } from "../versions/drift";
import { suspension } from "../waits/suspension";
import type { Wait } from "../waits/waits";
import type { Claim } from "./claim";
import type { ClaimEnd } from "./tally";
import { lateTitle } from "./title-run";

/** Of the blob store, for a result: then the run waits. */
const TRIES_OF_STORE = 4;

const ENDS_THE_RUN: ReadonlySet<PassOutcome["kind"]> = new Set([
  "completed",
  "failed",
  "cancelled",
  "timed_out",
  "expired",
  "drifted",
]);

/** Drives one claimed run until its claim ends: by the run's end, a wait, a hand-back, or the loss of the claim. */
export async function executeRun(pass: Pass, workflow: Workflow, db: Db, means: Means): Promise<ClaimEnd> {
  const { claim, rest } = pass;
  const drift = Drift.of(pass, workflow, db);
  const reason = reasonNotToBegin(claim.run);
  if (reason) rest.stop(reason);
  else {
    if (isBlob(claim.run.input)) claim.run.input = await wholeInput(claim);
    const titling = lateTitle(claim.run, workflow);
    const title = titling && (await titling);
    if (title !== null) await claim.retrying(() => keepRunTitle(db, claim.run.id, claim.run.epoch, title));
    watchDeadline(claim.run, rest);
    replay(pass, drift, workflow, db, means);
  }
  const outcome = await rest.outcome;
  if (ENDS_THE_RUN.has(outcome.kind) && claim.mayBeInDoubt) await cutOffWhatIsLeft(claim, db);
  if (drift && outcome.kind !== "lost") await drift.keepLast();
  return settle(claim, workflow, db, outcome);
}

/** @throws HandrailError `blob_unavailable`, `payload_locked` */
const wholeInput = (claim: Claim) => claim.read([claim.run.id, "input"], claim.run.input);

function reasonNotToBegin(run: ClaimedRun): "cancelled" | "expired" | "timed_out" | undefined {
  if (run.cancelRequested) return "cancelled";
  if (run.expired) return "expired";
  return run.deadlineInMs !== null && run.deadlineInMs <= 0 ? "timed_out" : undefined;
}

/** Aborts the pass when the run's deadline passes. Beyond the maximum of a Node timer, the claim ends first. */
function watchDeadline({ deadlineInMs }: ClaimedRun, rest: Rest): void {
  if (deadlineInMs === null || deadlineInMs > 2 ** 31 - 1) return;
  const timer = setTimeout(() => rest.stop("timed_out"), deadlineInMs);
  void rest.outcome.then(() => clearTimeout(timer));
}

/**
 * Bodies that a lost worker was running and that this pass has not begun again, and steps that wait for their retry
 * after an attempt that may have had its effect: the run ends, so no pass will.
 */
async function cutOffWhatIsLeft(claim: Claim, db: Db): Promise<void> {
  const { id, epoch, steps } = claim.run;
  await claim.retrying(() => cutOffSteps(db, id, epoch));
  if (claim.trace) for (const step of steps) if (step.status === "running") claim.trace.lostStep(step);
}

/**
 * Records how the pass ended. Every outcome but a lost claim ends the claim with one record.
 * @throws HandrailError `payload_locked` for a run that is left to others
 */
function settle(claim: Claim, workflow: Workflow, db: Db, outcome: PassOutcome): ClaimEnd | Promise<ClaimEnd> {
  switch (outcome.kind) {
    case "lost":
      return "lost";
    case "suspended":
      return suspend(claim, outcome.waits);
    case "locked":
      return claim.keepNotes().then(() => {
        throw outcome.because;
      });
    case "released":
      return end(claim, { to: "pending", mayBeInDoubt: claim.mayBeInDoubt });
    case "cancelled":
      return end(claim, { to: "cancelled" });
    case "completed":
      return complete(claim, workflow, db, outcome.value);
    case "timed_out":
      return fail(claim, workflow, db, runTimedOut(workflow.timeoutMs));
    case "expired":
      return end(claim, { to: "cancelled", error: errorText(startExpired()) });
    // Its compensations are in code that does not fit either: nothing is compensated automatically.
    case "drifted":
      return end(claim, { to: "failed", error: errorText(outcome.because), failedStep: null, attention: "failed" });
    case "failed":
      return fail(claim, workflow, db, outcome.error);
  }
}

async function suspend(claim: Claim, waits: ReadonlyMap<string, Wait>): Promise<ClaimEnd> {
  await faultPoint("run:before-suspend");
  return end(claim, { ...suspension(waits), mayBeInDoubt: claim.mayBeInDoubt });
}

/** @throws HandrailError `blob_unavailable`: a later pass comes to the same result */
function complete(claim: Claim, workflow: Workflow, db: Db, value: unknown): Promise<ClaimEnd> {
  let encoded: string;
  try {
    encoded = encodeValue(value, `output of workflow "${workflow.name}"`, claim.bounds);
  } catch (error) {
    return fail(claim, workflow, db, error);
  }
  const ended = (output: string) => end(claim, { to: "completed", output, mayBeInDoubt: claim.mayBeInDoubt });
  return isLarge(encoded) ? Promise.resolve(storedResult(claim, encoded)).then(ended) : ended(encoded);
}

async function fail(claim: Claim, workflow: Workflow, db: Db, thrown: unknown): Promise<ClaimEnd> {
  claim.trace?.failed(thrown);
  const error = errorText(thrown);
  const failedStep = failedStepOf(thrown);
  if (workflow.onFailure === "compensate") {
    await faultPoint("run:before-end");
    await claim.keepNotes();
    const { id: runId, epoch } = claim.run;
    const trace = claim.trace?.text;
    const owned = await claim.retrying(() => failAndCompensate(db, { runId, epoch, error, failedStep, trace }));
    await faultPoint("run:after-end");
    return owned ? "failed" : "lost";
  }
  const failed = { to: "failed", error, failedStep, attention: "failed" } as const;
  if (!(thrown instanceof ItemsFailed)) return end(claim, failed);
  let page: string;
  try {
    page = encodeValue(thrown.output, "output of the page", claim.bounds);
  } catch (refused) {
    // As of a page without failed items; a rerun still repeats those.
    return end(claim, { ...failed, error: errorText(refused) });
  }
  return end(claim, { ...failed, output: await storedResult(claim, page) });
}

const storedResult = (claim: Claim, text: string) => claim.stored([claim.run.id, "output"], text, TRIES_OF_STORE);

async function end(claim: Claim, run: RunChange): Promise<ClaimEnd> {
  // Not awaited without need: each run passes here.
  const before = faultPoint("run:before-end");
  if (before) await before;
  const ended = await claim.endClaim(run);
  const after = faultPoint("run:after-end");
  if (after) await after;
  return ended;
}
