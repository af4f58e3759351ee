import type { HandrailError } from "../../engine/errors";
import type { Workflow } from "../../engine/workflows/workflow";
import { waitForBlobStore } from "../../store/blobs/wait-for-store";
import type { Db } from "../../store/db";
import { cutOffSteps } from "../../store/steps/cut-off-steps";
import { leaveToOthers } from "../../store/workers/hand-back";
import { changeVersion } from "../../store/workflows/versions";
import type { Claim } from "../claims/claim";
import { ClaimLost } from "../claims/claim-lost";
import type { ClaimEnd } from "../claims/tally";
import { faultPoint } from "../fault-points";

/** Before anything runs: which version continues the run; undefined when it is the one of before. @throws ClaimLost */
export function keepVersion(claim: Claim, { version }: Workflow, db: Db): Promise<void> | undefined {
  const { codeVersion, version: begunWith } = claim.run;
  return version === (codeVersion ?? begunWith) ? undefined : keepChange(claim, version, db);
}

async function keepChange(claim: Claim, version: number, db: Db): Promise<void> {
  const { id, epoch } = claim.run;
  await faultPoint("version:before-change");
  if (!(await claim.retrying(() => changeVersion(db, id, epoch, version)))) throw new ClaimLost(id);
  await faultPoint("version:after-change");
}

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/** A value of the run cannot be read from the blob store, or put there: it waits, for longer with each time. */
export async function leaveUntilStored(claim: Claim, { details }: HandrailError, db: Db): Promise<ClaimEnd> {
  const { run } = claim;
  const { step, failures } = details as { step?: string; failures: number };
  if (run.cancelRequested && run.status === "running") return endCancelled(claim, db);
  const inMs = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS) * (0.75 + Math.random() / 2);
  await claim.retrying(() => waitForBlobStore(db, run, step ?? null, inMs));
  return run.status === "compensating" ? "compensating" : "waiting";
}

/** This worker lacks the key of the run's payloads; another one has it, or will. */
export async function leaveToOtherWorkers(claim: Claim, db: Db): Promise<ClaimEnd> {
  const { id, epoch, cancelRequested, status } = claim.run;
  // That needs no code.
  if (cancelRequested && status === "running") return endCancelled(claim, db);
  await claim.retrying(() => leaveToOthers(db, id, epoch));
  return status === "compensating" ? "compensating" : "pending";
}

/** Without its code: what a lost worker may have done is unknown then. */
async function endCancelled(claim: Claim, db: Db): Promise<ClaimEnd> {
  const { id, epoch } = claim.run;
  if (claim.mayBeInDoubt) await claim.retrying(() => cutOffSteps(db, id, epoch));
  return claim.endClaim({ to: "cancelled" });
}
