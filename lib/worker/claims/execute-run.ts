import { HandrailError } from "../../engine/errors";
import { encodeValue } from "../../engine/values/codec";
import type { Workflow } from "../../engine/workflows/workflow";
import { failAndCompensate } from "../../store/compensations/fail-and-compensate";
import type { Db } from "../../store/db";
import { cutOffSteps } from "../../store/steps/cut-off-steps";
import type { RunChange } from "../../store/workers/claim-record";
import type { OpenApp } from "../app";
import { faultPoint } from "../fault-points";
import type { Pass, PassOutcome } from "../passes/pass";
import { replay } from "../passes/replay";
import { errorText } from "../steps/error-text";
import { failedStepOf } from "../steps/kept-error";
import { suspension } from "../waits/suspension";
import type { ClaimEnd } from "./tally";

const ENDS_THE_RUN: ReadonlySet<PassOutcome["kind"]> = new Set([
  "completed",
  "failed",
  "cancelled",
  "timed_out",
  "drifted",
]);

/** Drives one claimed run until its claim ends: by the run's end, a wait, a hand-back, or the loss of the claim. */
export async function executeRun(pass: Pass, workflow: Workflow, db: Db, app: OpenApp): Promise<ClaimEnd> {
  const reason = reasonNotToBegin(pass);
  if (reason) pass.stop(reason);
  else {
    watchDeadline(pass);
    replay(pass, workflow, db, app);
  }
  return settle(pass, workflow, db, await pass.outcome);
}

function reasonNotToBegin({ run }: Pass): "cancelled" | "timed_out" | undefined {
  if (run.cancelRequested) return "cancelled";
  return run.deadlineInMs !== null && run.deadlineInMs <= 0 ? "timed_out" : undefined;
}

/** Aborts the pass when the run's own timeout passes. Beyond the maximum of a Node timer, the claim ends first. */
function watchDeadline(pass: Pass): void {
  const { deadlineInMs } = pass.run;
  if (deadlineInMs === null || deadlineInMs > 2 ** 31 - 1) return;
  const timer = setTimeout(() => pass.stop("timed_out"), deadlineInMs);
  void pass.outcome.then(() => clearTimeout(timer));
}

/** Bodies that a lost worker was running and that this pass has not begun again: the run ends, so no pass will. */
async function cutOffWhatIsLeft(pass: Pass, db: Db): Promise<void> {
  const { id, epoch, steps } = pass.run;
  if (steps.some((step) => step.status === "running")) await pass.retrying(() => cutOffSteps(db, id, epoch));
}

/**
 * Records how the pass ended. Every outcome but a lost claim ends the claim with one record.
 * @throws HandrailError `payload_locked` for a run that is left to others
 */
async function settle(pass: Pass, workflow: Workflow, db: Db, outcome: PassOutcome): Promise<ClaimEnd> {
  if (ENDS_THE_RUN.has(outcome.kind)) await cutOffWhatIsLeft(pass, db);
  if (outcome.kind !== "lost") await pass.drift?.keepLast((write) => pass.retrying(write));
  switch (outcome.kind) {
    case "lost":
      return "lost";
    case "suspended":
      await faultPoint("run:before-suspend");
      return end(pass, suspension(outcome.waits));
    case "locked":
      await pass.keepNotes();
      throw pass.lockedBecause;
    case "released":
      return end(pass, { to: "pending" });
    case "cancelled":
      return end(pass, { to: "cancelled" });
    case "completed":
      return complete(pass, workflow, db, outcome.value);
    case "timed_out":
      return fail(
        pass,
        workflow,
        db,
        new HandrailError("run_timed_out", `The run took longer than its timeout of ${workflow.timeoutMs} ms.`),
      );
    // Its compensations are in code that does not fit either: nothing is compensated automatically.
    case "drifted":
      return end(pass, { to: "failed", error: errorText(outcome.error), failedStep: null, attention: "failed" });
    case "failed":
      return fail(pass, workflow, db, outcome.error);
  }
}

async function complete(pass: Pass, workflow: Workflow, db: Db, value: unknown): Promise<ClaimEnd> {
  let output: string;
  try {
    output = encodeValue(value, `output of workflow "${workflow.name}"`);
  } catch (error) {
    return fail(pass, workflow, db, error);
  }
  return end(pass, { to: "completed", output, mayBeInDoubt: pass.mayBeInDoubt });
}

async function fail(pass: Pass, workflow: Workflow, db: Db, thrown: unknown): Promise<ClaimEnd> {
  const error = errorText(thrown);
  const failedStep = failedStepOf(thrown);
  if (workflow.onFailure === "compensate") {
    await faultPoint("run:before-end");
    await pass.keepNotes();
    const { id: runId, epoch } = pass.run;
    const owned = await pass.retrying(() => failAndCompensate(db, { runId, epoch, error, failedStep }));
    await faultPoint("run:after-end");
    return owned ? "failed" : "lost";
  }
  return end(pass, { to: "failed", error, failedStep, attention: "failed" });
}

async function end(pass: Pass, run: RunChange): Promise<ClaimEnd> {
  await faultPoint("run:before-end");
  const ended = await pass.endClaim(run);
  await faultPoint("run:after-end");
  return ended;
}
