import type { ErrorCode } from "../engine/errors";

/** The HTTP status of every error there is. */
export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_input: 422,
  invalid_workflow: 422,
  invalid_value: 422,
  value_too_large: 422,
  body_too_large: 413,
  unsupported_media_type: 415,
  unknown_workflow: 404,
  unknown_run: 404,
  unknown_step: 404,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_conflict: 409,
  not_allowed: 409,
  changed: 409,
  duplicate_step: 500,
  step_timed_out: 500,
  run_timed_out: 500,
  compensation_missing: 500,
  poisonous_run: 500,
  sandbox_unreachable: 502,
  too_busy: 503,
  unavailable: 503,
  internal: 500,
} satisfies Record<ErrorCode, number>;
