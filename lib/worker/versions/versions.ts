import type { Workflow } from "../../engine/workflows/workflow";
import type { Db } from "../../store/db";
import { leaveToOthers } from "../../store/workers/hand-back";
import { changeVersion } from "../../store/workflows/versions";
import type { Claim } from "../claims/claim";
import { ClaimLost } from "../claims/claim-lost";
import type { ClaimEnd } from "../claims/tally";
import { faultPoint } from "../fault-points";

/** Before anything runs: which version continues the run, when it is another one than before. @throws ClaimLost */
export async function keepVersion(claim: Claim, { version }: Workflow, db: Db): Promise<void> {
  const { id, epoch, codeVersion, version: begunWith } = claim.run;
  if (version === (codeVersion ?? begunWith)) return;
  await faultPoint("version:before-change");
  if (!(await claim.retrying(() => changeVersion(db, id, epoch, version)))) throw new ClaimLost(id);
  await faultPoint("version:after-change");
}

/** This worker lacks the key of the run's payloads; another one has it, or will. */
export async function leaveToOtherWorkers(claim: Claim, db: Db): Promise<ClaimEnd> {
  const { id, epoch, cancelRequested, status } = claim.run;
  // That needs no code.
  if (cancelRequested && status === "running") return claim.endClaim({ to: "cancelled" });
  await claim.retrying(() => leaveToOthers(db, id, epoch));
  return status === "compensating" ? "compensating" : "pending";
}
