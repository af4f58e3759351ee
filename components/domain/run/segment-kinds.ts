import type { AttemptStatus } from "@/lib/engine/steps/step";

/** What a stretch of a step's time was spent on. */
export type SegmentKind =
  | "queued"
  | "executing"
  | "completed"
  | "retried"
  | "failed"
  | "unknown"
  | "interrupted"
  | "backoff"
  | "waiting"
  | "owed"
  | "given";

interface SegmentLook {
  /** In the legend, and in the words of a bar. */
  word: string;
  /** Pattern and height of the bar. */
  className: string;
  /** The pattern alone, where many bars make one shape. */
  fill: string;
}

const FULL = "top-0.5 h-2.5 rounded-[2px]";
const THIN = "top-1.5 h-0.5";

/** The one table behind the bars, their words and the legend. */
export const SEGMENT_LOOKS = {
  completed: { word: "executed", className: `${FULL} pattern-executing`, fill: "pattern-executing" },
  executing: { word: "executing", className: `${FULL} pattern-running`, fill: "pattern-running" },
  retried: { word: "failed attempt", className: `${FULL} pattern-retried`, fill: "pattern-retried" },
  failed: { word: "failed, no retries left", className: `${FULL} pattern-failed`, fill: "pattern-failed" },
  unknown: { word: "outcome unknown", className: `${FULL} pattern-unknown`, fill: "pattern-unknown" },
  interrupted: { word: "interrupted", className: `${FULL} pattern-interrupted`, fill: "pattern-interrupted" },
  backoff: { word: "backing off", className: `${FULL} pattern-backoff`, fill: "pattern-backoff" },
  waiting: { word: "waiting", className: `${FULL} pattern-waiting`, fill: "pattern-waiting" },
  owed: { word: "needs manual action", className: `${FULL} pattern-owed`, fill: "pattern-owed" },
  queued: { word: "queued", className: `${THIN} bg-field`, fill: "bg-field" },
  given: { word: "resolved", className: `${FULL} pattern-kept`, fill: "pattern-kept" },
} as const satisfies Record<SegmentKind, SegmentLook>;

/** Time in which nothing of the step ran: only that is folded when it is long. */
export const IDLE = {
  queued: true,
  backoff: true,
  waiting: true,
  owed: true,
  executing: false,
  completed: false,
  retried: false,
  failed: false,
  unknown: false,
  interrupted: false,
  given: false,
} as const satisfies Record<SegmentKind, boolean>;

export const ATTEMPT_SEGMENTS = {
  running: "executing",
  completed: "completed",
  failed: "retried",
  unknown: "unknown",
  interrupted: "interrupted",
} as const satisfies Record<AttemptStatus, SegmentKind>;

/** Where many bars share a place, the most severe is drawn: the first of these. */
export const GRAVEST: SegmentKind[] = [
  "failed",
  "unknown",
  "retried",
  "executing",
  "interrupted",
  "completed",
  "given",
  "owed",
  "backoff",
  "waiting",
  "queued",
];
