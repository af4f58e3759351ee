import type { CompensationMode, CompensationStatus } from "../../engine/compensations/compensation";
import { stepIdempotencyKey } from "../../engine/steps/idempotency-key";
import type { AttemptStatus, StepStatus } from "../../engine/steps/step";
import type { AttemptRow, CompensationRow, EventWaitRow, StepRow } from "../../store/rows";
import { inDoubt } from "../actions/facts";
import { asError, asIdOrNull, asInstant, asInstantOrNull, asJsonOrNull } from "../values";

export function stepView(
  runId: string,
  step: StepRow,
  attempts: readonly AttemptRow[],
  compensation: CompensationRow | undefined,
  wait: EventWaitRow | undefined,
  versionAt: (instant: string) => number,
) {
  return {
    name: step.name,
    kind: step.kind,
    effect: step.effect,
    status: step.status,
    attempt: step.attempt,
    maxAttempts: step.max_attempts,
    generation: step.generation,
    position: step.position,
    finishedPosition: step.finished_position,
    idempotencyKey: stepIdempotencyKey(runId, step.name, step.key_generation),
    reference: step.reference,
    output: asJsonOrNull(step.output),
    error: asError(step.error),
    startedAt: asInstant(step.started_at),
    finishedAt: asInstantOrNull(step.finished_at),
    nextAttemptAt: asInstantOrNull(step.next_attempt_at),
    attempts: [...attempts, ...lastAttempt(step, attempts)].map((attempt) => attemptView(attempt, versionAt)),
    compensation: compensation ? compensationView(compensation) : noCompensation(step),
    wait: wait ? waitView(wait) : null,
    canAsk: step.can_ask,
    inDoubt: step.superseded_by === null && inDoubt(step),
    supersededBy: step.superseded_by,
  };
}

const waitView = (wait: EventWaitRow) => ({
  event: wait.question === null ? wait.event : null,
  key: wait.key,
  question: wait.question,
  choices: wait.choices ?? [],
  data: asJsonOrNull(wait.data),
  since: asInstant(wait.opened_at),
});

/** Statuses of a step whose own row describes its last attempt. */
const OF_LAST_ATTEMPT: Record<StepStatus, AttemptStatus | null> = {
  running: "running",
  completed: "completed",
  failed: "failed",
  unknown: "unknown",
  waiting: null,
  skipped: null,
};

function lastAttempt(step: StepRow, recorded: readonly AttemptRow[]): AttemptRow[] {
  const status = OF_LAST_ATTEMPT[step.status];
  // An operator who resolved a step left its last attempt as it was; one who supplied an outcome made no attempt.
  if (status === null || step.attempt === 0 || recorded.some(({ number }) => number === step.attempt)) return [];
  const { name, generation, attempt: number, error, worker_id, started_at, finished_at } = step;
  return [{ step: name, generation, number, status, error, worker_id, started_at, finished_at }];
}

const attemptView = (attempt: AttemptRow, versionAt: (instant: string) => number) => ({
  number: attempt.number,
  generation: attempt.generation,
  version: versionAt(asInstant(attempt.started_at)),
  status: attempt.status,
  error: asError(attempt.error),
  workerId: asIdOrNull(attempt.worker_id),
  startedAt: asInstant(attempt.started_at),
  finishedAt: asInstantOrNull(attempt.finished_at),
});

export interface CompensationView {
  mode: CompensationMode;
  status: CompensationStatus;
  by: string | null;
  note: string | null;
  reference: string | null;
  error: ReturnType<typeof asError>;
  instructions: string | null;
  attempt: number;
  nextAttemptAt: string | null;
  owedAt: string | null;
  finishedAt: string | null;
  assignee: string | null;
  assignedBy: string | null;
  assignedAt: string | null;
  evidence: string | null;
}

export const compensationView = (compensation: CompensationRow): CompensationView => ({
  mode: compensation.mode,
  status: compensation.status,
  by: compensation.by,
  note: compensation.note,
  reference: compensation.reference,
  error: asError(compensation.error),
  instructions: compensation.instructions,
  attempt: compensation.attempt,
  nextAttemptAt: asInstantOrNull(compensation.next_attempt_at),
  owedAt: asInstant(compensation.owed_at),
  finishedAt: asInstantOrNull(compensation.finished_at),
  assignee: compensation.assignee,
  assignedBy: compensation.assigned_by,
  assignedAt: asInstantOrNull(compensation.assigned_at),
  evidence: compensation.evidence,
});

const noCompensation = (step: StepRow): CompensationView => ({
  mode: step.compensation_mode ?? "none",
  status: "none",
  by: null,
  note: null,
  reference: null,
  error: null,
  instructions: step.instructions,
  attempt: 0,
  nextAttemptAt: null,
  owedAt: null,
  finishedAt: null,
  assignee: null,
  assignedBy: null,
  assignedAt: null,
  evidence: null,
});
