import { ATTEMPT_SEGMENTS, IDLE, SEGMENT_LOOKS, type SegmentKind } from "@/components/domain/run/segment-kinds";
import type { Run } from "@/lib/api/contract/run";
import type { DrawnAttempt, DrawnStep } from "@/lib/api/contract/steps";
import { isWaitKind } from "@/lib/engine/steps/step";
import { formatDuration } from "@/lib/format";

export interface Segment {
  kind: SegmentKind;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** The full description of the bar, for hover and screen readers. */
  text: string;
  /** What to call the time when it is folded: `3 h asleep`. Null for time in which something ran. */
  idle: string | null;
}

export const isWait = (step: Pick<DrawnStep, "kind">): boolean => isWaitKind(step.kind);

/** The step's time, cut into what it was spent on, in order. */
export function segmentsOf(step: DrawnStep, run: Pick<Run, "lostClaims">, nowMs: number): Segment[] {
  if (isWait(step)) return [waitOf(step, nowMs)];
  const attempts = [...step.attempts].sort((a, b) => a.number - b.number);
  if (attempts.length === 0) return beforeAttempts(step, nowMs);
  const segments: Segment[] = [];
  attempts.forEach((attempt, index) => {
    const next = attempts[index + 1];
    const bar = attemptBar(attempt, { step, next, run, nowMs });
    segments.push(bar);
    if (next) pushGap(segments, gapAfter(attempt), bar.to, Date.parse(next.startedAt));
  });
  pushTail(segments, step, attempts.at(-1), nowMs);
  return segments;
}

/** A step that waits for its first permit, or whose outcome an operator has given. */
function beforeAttempts({ status, startedAt, finishedAt }: DrawnStep, nowMs: number): Segment[] {
  if (finishedAt) return [segment("given", Date.parse(finishedAt), Date.parse(finishedAt))];
  const from = Date.parse(startedAt);
  return status === "waiting" ? [segment("queued", from, Math.max(from, nowMs), "waiting for a permit")] : [];
}

function waitOf(step: DrawnStep, nowMs: number): Segment {
  const from = Date.parse(step.startedAt);
  const to = step.finishedAt ? Date.parse(step.finishedAt) : Math.max(from, nowMs);
  const event = step.wait?.event;
  return segment(
    step.kind === "approval" ? "owed" : "waiting",
    from,
    to,
    event ? `waiting ${formatDuration(to - from)} for ${event}` : undefined,
    step.kind === "sleep" ? "asleep" : undefined,
  );
}

interface Around {
  step: DrawnStep;
  next: DrawnAttempt | undefined;
  run: Pick<Run, "lostClaims">;
  nowMs: number;
}

function attemptBar(attempt: DrawnAttempt, { step, next, run, nowMs }: Around): Segment {
  const from = Date.parse(attempt.startedAt);
  const to = Math.max(
    from,
    attempt.finishedAt ? Date.parse(attempt.finishedAt) : openEnd(attempt, from, { step, next, run, nowMs }),
  );
  const endedTheStep = !next && step.status === "failed" && step.supersededBy === null;
  const kind = attempt.status === "failed" && endedTheStep ? "failed" : ATTEMPT_SEGMENTS[attempt.status];
  const of = step.maxAttempts > 1 ? ` of ${step.maxAttempts}` : "";
  const why = attempt.error ? `: ${attempt.error.message.split("\n")[0]}` : "";
  return segment(
    kind,
    from,
    to,
    `attempt ${attempt.number}${of} ${attempt.status}, ${formatDuration(to - from)}${why}`,
  );
}

/** An unfinished attempt ends when its worker was found lost, or when the next one begins. */
function openEnd(attempt: DrawnAttempt, from: number, { step, next, run, nowMs }: Around): number {
  if (attempt.status === "running") return nowMs;
  const lost = run.lostClaims.map(({ at }) => Date.parse(at)).filter((at) => at >= from);
  const ends = [
    ...lost,
    ...(next ? [Date.parse(next.startedAt)] : []),
    ...(step.finishedAt ? [Date.parse(step.finishedAt)] : []),
  ];
  return ends.length > 0 ? Math.min(...ends) : from;
}

/** An attempt that recorded its end is retried after a delay; one that did not is retried once a worker claims it. */
const gapAfter = ({ status, finishedAt }: DrawnAttempt): SegmentKind =>
  status === "failed" || (status === "unknown" && finishedAt !== null) ? "backoff" : "queued";

/** What came after the last attempt. */
function pushTail(segments: Segment[], step: DrawnStep, last: DrawnAttempt | undefined, nowMs: number): void {
  const from = segments.at(-1)?.to ?? nowMs;
  if (step.status === "waiting") pushGap(segments, "backoff", from, nowMs);
  if (step.status === "unknown") pushGap(segments, "owed", from, nowMs);
  // Its last attempt recorded no success, and yet the step is done: an operator, or the provider's answer, resolved it.
  const settled = (step.status === "completed" || step.status === "skipped") && last?.status !== "completed";
  if (settled && step.finishedAt !== null) {
    const at = Date.parse(step.finishedAt);
    pushGap(segments, "owed", from, at);
    segments.push(segment("given", at, at));
  }
}

function pushGap(segments: Segment[], kind: SegmentKind, from: number, to: number): void {
  if (to > from) segments.push(segment(kind, from, to));
}

export function segment(kind: SegmentKind, from: number, to: number, text?: string, idle?: string): Segment {
  const { word } = SEGMENT_LOOKS[kind];
  return {
    kind,
    from,
    to,
    text: text ?? (to > from ? `${word} ${formatDuration(to - from)}` : word),
    idle: IDLE[kind] ? (idle ?? word) : null,
  };
}
