import { HandrailError } from "../../engine/errors";
import { type LimitPlan, planLimits } from "../../engine/queues/step-limit";
import { type RetryPolicy, withRetryDefaults } from "../../engine/steps/retry-policy";
import { type Effect, MAX_STEP_NAME_LENGTH, type StepKind } from "../../engine/steps/step";
import { isPlainText } from "../../engine/values/plain-text";
import type { StepOptions } from "../../engine/workflows/step-options";

/** A step as its author declares it, checked and with every default filled in. */
export interface StepPlan {
  name: string;
  kind: StepKind;
  effect: Effect;
  /** Whether an attempt without an outcome may have had an effect. */
  leavesDoubt: boolean;
  retry: RetryPolicy;
  timeoutMs: number | undefined;
  /** Undefined: its bodies need no permit. */
  limits: readonly LimitPlan[] | undefined;
  reference: (output: unknown) => string | undefined;
  compensate: StepOptions<unknown>["compensate"];
  instructions: StepOptions<unknown>["instructions"];
  reconcile: StepOptions<unknown>["reconcile"];
}

/** @throws HandrailError `invalid_workflow` or `invalid_value` naming the step and the option */
export function planStep<Output>(
  name: string,
  kind: StepKind,
  options: StepOptions<Output>,
  defaults: RetryPolicy,
): StepPlan {
  checkName(name);
  const effect = kind === "step" || kind === "transaction" ? (options.effect ?? "idempotent") : "pure";
  const base = effect === "once" ? { ...defaults, maxAttempts: 1 } : defaults;
  const { timeoutMs } = options;
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    throw new HandrailError("invalid_workflow", `timeoutMs of step "${name}" must be more than 0 milliseconds.`);
  return {
    name,
    kind,
    effect,
    // A transaction's writes and its checkpoint commit or roll back together: its outcome is always known.
    leavesDoubt: kind === "step" && effect !== "pure",
    retry: withRetryDefaults(base, options.retry),
    timeoutMs,
    limits: options.limit === undefined ? undefined : planLimits(name, options.limit),
    reference: (options.reference ?? noReference) as StepPlan["reference"],
    compensate: options.compensate as StepPlan["compensate"],
    instructions: options.instructions as StepPlan["instructions"],
    reconcile: options.reconcile as StepPlan["reconcile"],
  };
}

const noReference = () => undefined;

function checkName(name: unknown): void {
  if (typeof name !== "string" || name.length < 1 || name.length > MAX_STEP_NAME_LENGTH)
    throw new HandrailError(
      "invalid_workflow",
      `A step's name has 1 to ${MAX_STEP_NAME_LENGTH} characters; got ${JSON.stringify(name)?.slice(0, 80)}.`,
    );
  if (!isPlainText(name))
    throw new HandrailError(
      "invalid_workflow",
      `The step name ${JSON.stringify(name)} holds NUL or half of a surrogate pair.`,
    );
}

export function compensationMode(plan: StepPlan): "automatic" | "manual" | null {
  if (plan.compensate === undefined) return null;
  return plan.compensate === "manual" ? "manual" : "automatic";
}
