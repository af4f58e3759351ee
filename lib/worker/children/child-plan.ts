import { toMilliseconds } from "../../engine/duration";
import { HandrailError } from "../../engine/errors";
import type { AwaitedChildOptions } from "../../engine/workflows/call-options";
import { checkIsWorkflow } from "../../engine/workflows/given-workflow";
import type { Workflow } from "../../engine/workflows/workflow";

/** A child run that a step starts, with its author's options. */
export interface ChildPlan {
  workflow: Workflow;
  input: unknown;
  /** Whether the step waits for its end. */
  awaited: boolean;
  options: AwaitedChildOptions;
  /** A page of `ctx.mapSteps`. */
  page?: { of: string; number: number; collects: boolean };
  /** Null: no longest wait. */
  timeoutMs: number | null;
}

/** @throws HandrailError `invalid_workflow` or `invalid_value` */
export function planChild(name: string, child: Omit<ChildPlan, "timeoutMs">): ChildPlan {
  checkIsWorkflow(child.workflow, `The child "${name}"`);
  if ("limit" in child.options)
    throw new HandrailError(
      "invalid_workflow",
      `The child "${name}" takes no limit: it has no body here. Limit the steps of its workflow.`,
    );
  const { timeout } = child.options;
  if (timeout === undefined) return { ...child, timeoutMs: null };
  if (!child.awaited)
    throw new HandrailError(
      "invalid_workflow",
      `startChild("${name}", …) takes no timeout: it does not wait for the child. Use ctx.child, or end the child by its own timeoutMs.`,
    );
  return { ...child, timeoutMs: toMilliseconds(timeout) };
}
