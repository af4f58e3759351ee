import { checkInput } from "../../engine/runs/start";
import { decodeValue } from "../../engine/values/codec";
import type { Workflow } from "../../engine/workflows/workflow";
import type { ClaimedRun } from "../../store/workers/claim-runs";
import { outsideBodies } from "../steps/running-body";
import { createContext, type Performer } from "./context";
import { isThenable } from "./promises";
import { StepCalls } from "./step-calls";

/**
 * Runs the workflow's code from its top to its end. Async, so that code which throws before its first await fails like
 * any other.
 * @throws what the code throws; HandrailError `invalid_input`, `not_awaited`, `nested_call`
 */
export async function runCode(run: ClaimedRun, workflow: Workflow, performer: Performer): Promise<unknown> {
  const calls = new StepCalls();
  const ctx = createContext(run, workflow, performer, calls);
  const output = await outsideBodies(() => {
    const input = inputOf(run, workflow);
    return isThenable(input) ? input.then((checked) => workflow.handler(ctx, checked)) : workflow.handler(ctx, input);
  });
  calls.assertAwaited();
  return output;
}

/**
 * A run that SQL started has its input unparsed. So has a page of a map, whose input is none of the workflow's: it is refused by a
 * worker that knows no pages. @throws HandrailError `invalid_input`
 */
export function inputOf(run: Pick<ClaimedRun, "input" | "inputChecked" | "pageOf">, workflow: Workflow): unknown {
  const value = decodeValue(run.input);
  return run.inputChecked || run.pageOf !== null ? value : checkInput(workflow, value);
}
