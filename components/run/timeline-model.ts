import type { AuditRow, Run, Step } from "@/lib/api/contract/run";
import { driftMark } from "./drift-marks";
import { IDLE, type SegmentKind } from "./segment-kinds";
import { type Segment, segment, segmentsOf } from "./step-segments";
import { type TimeScale, timeScale } from "./time-scale";

export interface StepRow {
  step: Step;
  segments: Segment[];
  /** From the first attempt to the end of the last; null while it has not begun. */
  tookMs: number | null;
  /** What stands beside it about code that has drifted. */
  drift: string | null;
}

export interface Lane {
  kind: "first" | "rerun" | "undo";
  generation: number;
  /** The version that its last steps were run by, where the run has not kept the one it began with. */
  version: number | null;
  /** Who opened it and why; null for the first lane and for what the worker began by itself. */
  opened: AuditRow | null;
  /** Results that stood when the lane opened, and that it builds on. */
  kept: Step[];
  rows: StepRow[];
  scale: TimeScale;
  startMs: number;
}

/** One lane per repair generation, one for the undos; each with its own scale, for hours may lie between them. */
export function timelineLanes(run: Run, nowMs: number): Lane[] {
  const generations = [...new Set([1, ...run.steps.map(({ generation }) => generation), run.generation])].sort(
    (a, b) => a - b,
  );
  const lanes = generations.map((generation) => generationLane(run, generation, nowMs));
  const undo = undoLane(run, nowMs);
  return undo ? [...lanes, undo] : lanes;
}

function generationLane(run: Run, generation: number, nowMs: number): Lane {
  const opened = generation === 1 ? null : openedBy(run.audit, generation);
  const bare = run.steps
    .filter((step) => step.generation === generation)
    .sort((a, b) => a.position - b.position)
    .map((step) => toRow(step, segmentsOf(step, run, nowMs), driftMark(run, step)));
  const openedAt = generation === 1 ? run.createdAt : opened?.at;
  const startMs = openedAt ? Date.parse(openedAt) : bare.reduce((least, row) => Math.min(least, beginOf(row)), nowMs);
  const rows = queue(bare, startMs);
  const kept = run.steps.filter(
    (step) => step.generation < generation && (step.supersededBy === null || step.supersededBy > generation),
  );
  const kind = generation === 1 ? "first" : "rerun";
  // A lane in which nothing has begun is still queued.
  const scale = scaleOf(rows, startMs, rows.length === 0 ? nowMs : startMs);
  return { kind, generation, version: versionIn(run, generation), opened, kept, rows, startMs, scale };
}

function versionIn({ version, versionChanges }: Run, generation: number): number | null {
  if (versionChanges.length === 0) return null;
  return versionChanges.findLast((change) => change.generation <= generation)?.version ?? version;
}

/** The audit row whose act opened a generation: before it the run stood in an earlier one. */
function openedBy(audit: AuditRow[], generation: number): AuditRow | null {
  const generationIn = (state: unknown) => (state as { generation?: unknown } | null)?.generation;
  return (
    audit.find(({ before, after }) => generationIn(after) === generation && generationIn(before) !== generation) ?? null
  );
}

/** The time from the opening of a lane to its first attempt was spent in the queue. */
function queue(rows: StepRow[], startMs: number): StepRow[] {
  const first = rows.filter(({ segments }) => segments.length > 0).sort((a, b) => beginOf(a) - beginOf(b))[0];
  if (!first || beginOf(first) <= startMs) return rows;
  return rows.map((row) =>
    row === first ? { ...row, segments: [segment("queued", startMs, beginOf(row)), ...row.segments] } : row,
  );
}

const beginOf = ({ segments }: StepRow) => segments[0]?.from ?? Number.POSITIVE_INFINITY;

function undoLane(run: Run, nowMs: number): Lane | null {
  const owed = run.steps.filter(({ compensation }) => compensation.status !== "none" && compensation.owedAt !== null);
  if (owed.length === 0) return null;
  const startMs = Math.min(...owed.map(({ compensation }) => Date.parse(compensation.owedAt ?? run.createdAt)));
  const rows = owed
    .sort((a, b) => Date.parse(b.finishedAt ?? "") - Date.parse(a.finishedAt ?? "") || b.position - a.position)
    .map((step) => toRow(step, [undoSegment(step, nowMs)], null));
  const opened =
    run.audit.find(
      ({ act, at, result }) => act === "compensate" && result === "done" && Date.parse(at) >= startMs - 1_000,
    ) ?? null;
  return {
    kind: "undo",
    generation: run.generation,
    version: null,
    opened,
    kept: [],
    rows,
    startMs,
    scale: scaleOf(rows, startMs, startMs),
  };
}

function undoSegment({ compensation }: Step, nowMs: number): Segment {
  const from = Date.parse(compensation.owedAt ?? "");
  const to = compensation.finishedAt ? Date.parse(compensation.finishedAt) : nowMs;
  return segment(undoKind(compensation), from, Math.max(from, to));
}

function undoKind({ mode, status, by }: Step["compensation"]): SegmentKind {
  if (status === "completed" || status === "waived") return by === "worker" ? "completed" : "given";
  if (status === "running") return "executing";
  return status === "failed" || mode === "manual" ? "owed" : "queued";
}

function toRow(step: Step, segments: Segment[], drift: string | null): StepRow {
  const first = segments[0];
  const last = segments.at(-1);
  return { step, segments, tookMs: first && last ? last.to - first.from : null, drift };
}

function scaleOf(rows: StepRow[], startMs: number, atLeastMs: number): TimeScale {
  const segments = rows.flatMap((row) => row.segments);
  const endMs = segments.reduce((end, { to }) => Math.max(end, to), atLeastMs);
  return timeScale(
    { from: startMs, to: endMs },
    segments.filter(({ kind }) => !IDLE[kind]),
  );
}

/** What is drawn, top to bottom: a header per lane, then its rows. */
export type TimelineItem =
  | { type: "lane"; lane: Lane }
  | { type: "kept"; lane: Lane }
  | { type: "step"; lane: Lane; row: StepRow };

export const timelineItems = (lanes: Lane[]): TimelineItem[] =>
  lanes.flatMap((lane) => [
    { type: "lane" as const, lane },
    ...(lane.kept.length > 0 ? [{ type: "kept" as const, lane }] : []),
    ...lane.rows.map((row) => ({ type: "step" as const, lane, row })),
  ]);
