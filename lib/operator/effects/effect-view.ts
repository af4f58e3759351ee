import {
  type EffectFacts,
  effectOutcome,
  judgeEffect,
  keyUse,
  type LaneFacts,
  protectionOf,
} from "../../engine/steps/effect-verdict";
import { compensationIdempotencyKey, stepIdempotencyKey } from "../../engine/steps/idempotency-key";
import type { AttemptStatus, StepStatus } from "../../engine/steps/step";
import { type Loss, mayHaveBegunUnseen } from "../../engine/steps/unseen-start";
import type { EffectRow, LaneRow, LossRow } from "../../store/reads/effects";
import type { RowInstant } from "../../store/rows";
import { asBriefError, asIdOrNull, asInstant, asInstantOrNull } from "../values";

export type EffectView = ReturnType<typeof effectView>;

/** The external effect of one step, over all its attempts and repair generations, as the contract's `EffectRecord`. */
export function effectView(row: EffectRow, losses: readonly LossRow[]) {
  const { run_id: runId, name, lanes } = row;
  const last = lanes.at(-1) as LaneRow;
  const facts = factsOf(row, losses.map(lossOf));
  return {
    runId,
    workflow: row.workflow,
    runStatus: row.run_status,
    tags: row.tags ?? {},
    runTitle: row.run_title,
    step: name,
    position: row.position,
    kind: last.kind,
    effect: last.effect,
    verdict: judgeEffect(facts),
    outcome: effectOutcome(facts.lanes.at(-1) as LaneFacts),
    idempotencyKey: stepIdempotencyKey(runId, name, last.key_generation),
    keyUse: keyUse(lanes.map((lane) => ({ keyGeneration: lane.key_generation, attempts: attemptsOf(lane) }))),
    attemptCount: lanes.reduce((sum, lane) => sum + attemptsOf(lane), 0),
    reference: lanes.findLast(({ reference }) => reference !== null)?.reference ?? null,
    compensation: last.compensation?.status ?? ("none" as const),
    startedAt: asInstant(firstOf(lanes)),
    finishedAt: asInstantOrNull(last.finished_at),
    mayHaveBegunUnseen: facts.lanes.some(({ unseen }) => unseen),
    generations: lanes.map((lane) => generationView(runId, name, lane)),
  };
}

function factsOf({ run_status, lanes }: EffectRow, losses: readonly Loss[]): EffectFacts {
  return {
    runStatus: run_status,
    runsAgain: lanes.at(-1)?.superseded_by !== null,
    lanes: lanes.map((lane) => {
      const protection = protectionOf(lane.kind, lane.effect);
      return {
        protection,
        keyGeneration: lane.key_generation,
        status: lane.status,
        onWord: lane.status === "completed" && (lane.attempt === 0 || (lane.kind === "step" && lane.last_recorded)),
        unknown: lane.unknown + (lane.status === "unknown" && !lane.last_recorded ? 1 : 0),
        interrupted: lane.interrupted,
        unseen: protection === "key" && mayHaveBegunUnseen(startsOf(lane), losses),
      };
    }),
  };
}

const msOf = (instant: RowInstant) => new Date(instant).getTime();

const lossOf = ({ lost_at, next_kept_at }: LossRow): Loss => ({
  at: msOf(lost_at),
  nextKeptAt: next_kept_at === null ? null : msOf(next_kept_at),
});

/** An outcome that an operator supplied has no attempt that began it. */
const startsOf = (lane: LaneRow): number[] =>
  lane.attempt === 0 ? [] : [...lane.attempts.map(({ started_at }) => msOf(started_at)), msOf(lane.started_at)];

/** Lists of attempts may omit the earliest; the step's own start is that of its last attempt. */
const firstOf = (lanes: readonly LaneRow[]): RowInstant =>
  lanes[0]?.attempts[0]?.started_at ?? (lanes[0] as LaneRow).started_at;

/** The last attempt as the step's own row has it, unless that attempt has a separate row. */
const OWN_ATTEMPT: Record<StepStatus, AttemptStatus | null> = {
  running: "running",
  completed: "completed",
  failed: "failed",
  unknown: "unknown",
  waiting: null,
  skipped: null,
};

const ownAttempt = (lane: LaneRow) => (lane.attempt === 0 || lane.last_recorded ? null : OWN_ATTEMPT[lane.status]);

const attemptsOf = (lane: LaneRow) => lane.recorded + (ownAttempt(lane) === null ? 0 : 1);

function generationView(runId: string, step: string, lane: LaneRow) {
  const own = ownAttempt(lane);
  const last = own && { ...lane, number: lane.attempt, status: own };
  return {
    generation: lane.generation,
    idempotencyKey: stepIdempotencyKey(runId, step, lane.key_generation),
    effect: lane.effect,
    status: lane.status,
    supersededBy: lane.superseded_by,
    reference: lane.reference,
    startedAt: asInstant(lane.started_at),
    finishedAt: asInstantOrNull(lane.finished_at),
    attemptCount: attemptsOf(lane),
    attempts: [...lane.attempts, ...(last ? [last] : [])].map((attempt) => ({
      number: attempt.number,
      status: attempt.status,
      error: asBriefError(attempt.error),
      workerId: asIdOrNull(attempt.worker_id),
      startedAt: asInstant(attempt.started_at),
      finishedAt: asInstantOrNull(attempt.finished_at),
    })),
    compensation: undoView(runId, step, lane),
  };
}

function undoView(runId: string, step: string, { compensation, compensation_mode, key_generation }: LaneRow) {
  return {
    mode: compensation?.mode ?? compensation_mode ?? ("none" as const),
    status: compensation?.status ?? ("none" as const),
    by: compensation?.by ?? null,
    note: compensation?.note ?? null,
    reference: compensation?.reference ?? null,
    attempt: compensation?.attempt ?? 0,
    idempotencyKey: compensation && compensationIdempotencyKey(runId, step, key_generation),
    finishedAt: asInstantOrNull(compensation?.finished_at ?? null),
  };
}
