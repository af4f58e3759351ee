import type { Blobs } from "../../blobs/blobs";
import { isPayloadLocked } from "../../engine/privacy/sealed";
import type { CaptureLogs } from "../../engine/runs/log";
import type { Workflow } from "../../engine/workflows/workflow";
import { codeFor } from "../../engine/workflows/workflow-versions";
import type { Logger } from "../../log";
import { captureConsole } from "../../logs/captured";
import type { Db } from "../../store/db";
import { payloadKeys } from "../../store/payloads";
import { ClaimTrace } from "../../traces/claim-trace";
import { activeIds, runTraceId } from "../../traces/tracing";
import { compensateRun } from "../compensations/compensate-run";
import { codeOfRun } from "../maps/page-code";
import type { Pass } from "../passes/pass";
import { isThenable } from "../passes/promises";
import type { Means } from "../passes/replay";
import { errorText } from "../steps/error-text";
import { keepVersion, leaveToOtherWorkers, leaveUntilStored } from "../versions/versions";
import { type Claim, isLeftToLater } from "./claim";
import { ClaimLost } from "./claim-lost";
import { executeRun } from "./execute-run";
import type { ClaimEnd } from "./tally";

export interface Observation {
  /** For workflows that do not say it themselves. Default: nothing. */
  captureLogs?: CaptureLogs | undefined;
  /** The share of traces that the SDK's sampler samples by their ids. Default, or null: not known, so it is asked for each. */
  traceRatio?: number | null;
}

export interface WorkerMeans extends Means, Observation {
  blobs: Blobs;
  /** Every version that the worker has. */
  workflows: readonly Workflow[];
  log: Logger;
}

/** Drives one claimed run to the end of its claim, whatever happens meanwhile. Never throws. */
export async function driveClaim(pass: Pass, db: Db, means: WorkerMeans): Promise<ClaimEnd> {
  const { claim } = pass;
  // The claim takes only runs that some code here fits.
  const workflow = codeFor(means.workflows, claim.run) as Workflow;
  ClaimTrace.begin(claim, workflow, payloadKeys() !== null, means.traceRatio ?? null);
  const end = await drive(pass, workflow, db, means);
  claim.trace?.end(end);
  return end;
}

async function drive(pass: Pass, workflow: Workflow, db: Db, means: WorkerMeans): Promise<ClaimEnd> {
  const { claim, locked } = pass;
  const captures = workflow.captureLogs ?? means.captureLogs ?? false;
  claim.captures = captures;
  claim.blobs = means.blobs;
  claim.middleware = means.app.middleware;
  if (captures !== false && captures.console) captureConsole();
  const execute = claim.run.status === "compensating" ? compensateRun : executeRun;
  try {
    if (locked) throw locked;
    const changing = keepVersion(claim, workflow, db);
    if (changing) await changing;
    const code = codeOfRun(claim, workflow, db, means.app.services);
    return await execute(pass, isThenable(code) ? await code : code, db, means);
  } catch (error) {
    return endAfter(claim, error, db, means.log);
  }
}

/** The fields of every line about a run. */
const about = ({ run }: Claim) => {
  const traceId = runTraceId(run);
  return { runId: run.id, workflow: run.workflow, ...(traceId !== undefined && { traceId }), ...activeIds() };
};

async function endAfter(claim: Claim, error: unknown, db: Db, log: Logger): Promise<ClaimEnd> {
  if (error instanceof ClaimLost) return "lost";
  if (!isLeftToLater(error)) return failVisibly(claim, error, log);
  const isLocked = isPayloadLocked(error);
  log.error(about(claim), `${error.message} The run ${isLocked ? "is left to other workers" : "waits for the store"}.`);
  const leave = isLocked ? leaveToOtherWorkers(claim, db) : leaveUntilStored(claim, error, db);
  return leave.catch((refusal) => {
    if (refusal instanceof ClaimLost) return "lost";
    return failVisibly(claim, refusal, log);
  });
}

/** No worker would drive the run while this worker lives: it fails visibly instead. */
async function failVisibly(claim: Claim, error: unknown, log: Logger): Promise<ClaimEnd> {
  log.error({ ...about(claim), err: error }, "the claim ended in an error of the engine itself");
  claim.trace?.failed(error);
  try {
    return await claim.endClaim({ to: "failed", error: errorText(error), failedStep: null, attention: "failed" });
  } catch (refusal) {
    log.error({ ...about(claim), err: refusal }, "and could not be ended");
    return "lost";
  }
}
