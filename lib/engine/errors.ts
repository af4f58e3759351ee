/** Every error code of Handrail, as a closed set: the table from code to HTTP status is total over it. */
export const ERROR_CODES = [
  "invalid_request",
  "unauthenticated",
  "forbidden",
  "too_many_attempts",
  "invalid_input",
  "invalid_workflow",
  "invalid_schedule",
  "invalid_alert",
  "invalid_value",
  "value_too_large",
  "body_too_large",
  "unsupported_media_type",
  "unknown_workflow",
  "unknown_version",
  "unknown_run",
  "unknown_step",
  "unknown_schedule",
  "unknown_worker",
  "unknown_plan",
  "unknown_operation",
  "unknown_problem",
  "unknown_view",
  "not_found",
  "method_not_allowed",
  "idempotency_conflict",
  "singleton_conflict",
  "throttled",
  "not_allowed",
  "changed",
  "plan_changed",
  "approval_required",
  "claim_lost",
  "lease_ended",
  "duplicate_step",
  "nested_call",
  "not_awaited",
  "transaction_ended",
  "transaction_aborted",
  "drifted",
  "step_timed_out",
  "run_timed_out",
  "start_expired",
  "wait_timed_out",
  "compensation_missing",
  "poisonous_run",
  "child_failed",
  "child_timed_out",
  "items_failed",
  "run_failed",
  "payload_locked",
  "blob_unavailable",
  "database_newer",
  "migration_edited",
  "sandbox_unreachable",
  "too_busy",
  "unavailable",
  "internal",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** An error with a code of the closed set and an actionable message. */
export class HandrailError extends Error {
  readonly code: ErrorCode;
  /** Machine-readable facts, such as the paths of invalid fields. Never secrets, never a stack. */
  readonly details: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = "HandrailError";
    this.code = code;
    this.details = details;
  }
}

/** Also true for a copy of the class: in development, Next bundles modules separately and errors cross bundles. */
export function isHandrailError(error: unknown): error is HandrailError {
  if (error instanceof HandrailError) return true;
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  return name === "HandrailError" && (ERROR_CODES as readonly unknown[]).includes(code);
}

export const unknownRun = (runId: string) => new HandrailError("unknown_run", `There is no run ${runId}.`);
