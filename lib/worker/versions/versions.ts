import type { Workflow } from "../../engine/workflows/workflow";
import type { Db } from "../../store/db";
import { leaveToOthers } from "../../store/workers/hand-back";
import { changeVersion } from "../../store/workflows/versions";
import { ClaimLost } from "../claims/claim-lost";
import type { ClaimEnd } from "../claims/tally";
import { faultPoint } from "../fault-points";
import type { Pass } from "../passes/pass";

/** Before anything runs: which version continues the run, when it is another one than before. @throws ClaimLost */
export async function keepVersion(pass: Pass, { version }: Workflow, db: Db): Promise<void> {
  const { id, epoch, codeVersion, version: begunWith } = pass.run;
  if (version === (codeVersion ?? begunWith)) return;
  await faultPoint("version:before-change");
  if (!(await pass.retrying(() => changeVersion(db, id, epoch, version)))) throw new ClaimLost(id);
  await faultPoint("version:after-change");
}

/** This worker lacks the key of the run's payloads; another one has it, or will. */
export async function leaveToOtherWorkers(pass: Pass, db: Db): Promise<ClaimEnd> {
  const { id, epoch, cancelRequested, status } = pass.run;
  // That needs no code.
  if (cancelRequested && status === "running") return pass.endClaim({ to: "cancelled" });
  await pass.retrying(() => leaveToOthers(db, id, epoch));
  return status === "compensating" ? "compensating" : "pending";
}
