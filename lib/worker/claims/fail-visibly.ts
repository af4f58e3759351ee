import type { Logger } from "../../log";
import type { Pass } from "../passes/pass";
import { errorText } from "../steps/error-text";
import type { ClaimEnd } from "./tally";

/** No worker would drive the run while this worker lives: it fails visibly instead. */
export async function failVisibly(pass: Pass, error: unknown, log: Logger): Promise<ClaimEnd> {
  log.error({ err: error, runId: pass.run.id }, "the claim ended in an error of the engine itself");
  try {
    return await pass.endClaim({ to: "failed", error: errorText(error), failedStep: null, attention: "failed" });
  } catch (refusal) {
    log.error({ err: refusal, runId: pass.run.id }, "and could not be ended");
    return "lost";
  }
}
