/** Where a step's row goes, in the order in which both statements that write it give their values. */
export const INTO_STEP = `
    insert into handrail.step as step (run_id, name, generation, kind, effect, status, position, finished_position, attempt,
      failures, max_attempts, key_generation, output, error, reference, can_ask, doubt, worker_id, started_at,
      finished_at, next_attempt_at, compensation_mode, instructions)`;

/**
 * A kept outcome never changes: only a row without one takes what is given. A start mark comes before whatever its attempt
 * came to: nobody waits for it, so that it may arrive late, and then says nothing new.
 */
export const UNLESS_KEPT = `
    on conflict (run_id, name, generation) do update set
      status = excluded.status, finished_position = excluded.finished_position, attempt = excluded.attempt,
      failures = excluded.failures, output = excluded.output, error = excluded.error, reference = excluded.reference,
      can_ask = excluded.can_ask, doubt = excluded.doubt, worker_id = excluded.worker_id,
      started_at = excluded.started_at, finished_at = excluded.finished_at, next_attempt_at = excluded.next_attempt_at,
      compensation_mode = excluded.compensation_mode, instructions = excluded.instructions
      where step.status in ('running', 'waiting', 'unknown')
        and (excluded.status <> 'running' or excluded.attempt > step.attempt)`;
