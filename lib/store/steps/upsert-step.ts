/** The columns of a step's row, in the order in which both statements that write it pass their values. */
export const INTO_STEP = `
    insert into handrail.step as step (run_id, name, generation, kind, effect, status, position, finished_position, attempt,
      failures, max_attempts, key_generation, output, error, reference, can_ask, doubt, worker_id, started_at,
      finished_at, next_attempt_at, compensation_mode, instructions)`;

/**
 * A kept outcome never changes: only a row without one is updated. A start mark may arrive after the outcome of its
 * attempt, since nothing waits for it, and then changes nothing.
 */
export const UNLESS_KEPT = `
    on conflict (run_id, name, generation) do update set
      effect = excluded.effect, status = excluded.status, finished_position = excluded.finished_position, attempt = excluded.attempt,
      failures = excluded.failures, output = excluded.output, error = excluded.error, reference = excluded.reference,
      can_ask = excluded.can_ask, doubt = excluded.doubt, worker_id = excluded.worker_id,
      started_at = excluded.started_at, finished_at = excluded.finished_at, next_attempt_at = excluded.next_attempt_at,
      compensation_mode = excluded.compensation_mode, instructions = excluded.instructions
      where step.status in ('running', 'waiting', 'unknown')
        and (excluded.status <> 'running' or excluded.attempt > step.attempt)`;
