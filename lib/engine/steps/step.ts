export const STEP_KINDS = [
  "step",
  "transaction",
  "sleep",
  "event",
  "approval",
  "child",
  "cancel",
  "send",
  "publish",
] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** Kinds whose time is a wait, not a running body. */
const WAITS: readonly StepKind[] = ["sleep", "event", "approval", "child"];
export const isWaitKind = (kind: StepKind): boolean => WAITS.includes(kind);

/**
 * A step's effect, as declared by its author.
 * - `pure`: reads or computes; repeating is safe.
 * - `idempotent`: the provider honours the idempotency key, so repeating is safe.
 * - `once`: nothing protects a repetition. Its start is durable before its body, and a lost outcome waits for a person.
 */
export const EFFECTS = ["pure", "idempotent", "once"] as const;
export type Effect = (typeof EFFECTS)[number];

/** Besides `step`, whose declared effect says it. A transaction's writes count, as does what a step does to other runs; waits have none. */
export const KINDS_WITH_EFFECT: readonly StepKind[] = ["transaction", "child", "cancel", "send"];

export const STEP_STATUSES = ["running", "waiting", "completed", "failed", "unknown", "skipped"] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

/**
 * - `interrupted`: handed back by a shutdown, a cancel or a lost claim before its outcome; not counted as a retry.
 * - `unknown`: its body may have had its effect.
 */
export const ATTEMPT_STATUSES = ["running", "completed", "failed", "unknown", "interrupted"] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

/** Longest step name, in UTF-16 code units: it is part of a key, a URL and a line on a phone. */
export const MAX_STEP_NAME_LENGTH = 200;
