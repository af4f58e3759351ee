import { withPauses } from "../../engine/parts";
import { runTitleOf } from "../../engine/runs/run-title";
import { checkInput } from "../../engine/runs/start";
import { decodeValue } from "../../engine/values/codec";
import type { Workflow } from "../../engine/workflows/workflow";
import type { ClaimedRun } from "../../store/workers/claim-runs";

/**
 * The title of a run that SQL or an event started: where it began, nobody had its code. Null if it has one, or needs none. Never
 * throws: an input that the code cannot take fails the run where its code takes it.
 */
export function lateTitle(run: ClaimedRun, workflow: Workflow): Promise<string | null> | null {
  return run.inputChecked || run.titled || !workflow.runTitle ? null : titleOf(run, workflow);
}

async function titleOf(run: ClaimedRun, workflow: Workflow): Promise<string | null> {
  try {
    const value = await checkInput(workflow, decodeValue(run.input));
    return await withPauses(runTitleOf(workflow, value, run.input), async () => undefined);
  } catch {
    return null;
  }
}
