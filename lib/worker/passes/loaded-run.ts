import { isBlob } from "../../engine/values/blob";
import type { ClaimedRun, ClaimedStep } from "../../store/workers/claim-runs";
import type { Claim } from "../claims/claim";

/**
 * A run with all of its values, for code that runs over its outcomes without a pass.
 * @param claim of this run, or of one that needs its code
 * @throws HandrailError `blob_unavailable`, `payload_locked`
 */
export async function loadedRun(claim: Claim, run: ClaimedRun): Promise<ClaimedRun> {
  if (!isBlob(run.input) && !run.steps.some(hasBlob)) return run;
  const ofStep = async (step: ClaimedStep) =>
    step.output === null || !hasBlob(step)
      ? step
      : { ...step, output: await claim.read([run.id, "step", step.name, step.generation], step.output) };
  const [input, ...steps] = await Promise.all([claim.read([run.id, "input"], run.input), ...run.steps.map(ofStep)]);
  return { ...run, input, steps };
}

const hasBlob = ({ output }: ClaimedStep) => output !== null && isBlob(output);
