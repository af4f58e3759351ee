import { driftMark } from "@/components/domain/run/drift-marks";
import type { SegmentKind } from "@/components/domain/run/segment-kinds";
import type { AuditRow, Run } from "@/lib/api/contract/run";
import type { DrawnStep } from "@/lib/api/contract/steps";
import { type Segment, segment, segmentsOf } from "./step-segments";

export interface StepRow {
  step: DrawnStep;
  segments: Segment[];
  /** From the first attempt to the end of the last; null while it has not begun. */
  tookMs: number | null;
  /** The drift mark beside the step. */
  drift: string | null;
}

export interface Lane {
  /** In the URL: the generation's number, or `undo`. */
  key: string;
  kind: "first" | "rerun" | "undo";
  generation: number;
  /** The version that its last steps were run by, where the run has not kept the one it began with. */
  version: number | null;
  /** Who opened it and why; null for the first lane and for what the worker began by itself. */
  opened: AuditRow | null;
  /** Results that were kept when the lane opened, and that it builds on: how many, and the first one's name. */
  kept: { count: number; first: string } | null;
  rows: StepRow[];
  startMs: number;
  endMs: number;
}

/** The part of a run that its lanes need; `steps` in any order. */
export type DrawnRun = Pick<
  Run,
  "generation" | "audit" | "createdAt" | "version" | "versionChanges" | "drift" | "lostClaims"
> & { steps: readonly DrawnStep[] };

/** One lane per repair generation, one for the compensations. */
export function lanesOf(run: DrawnRun, nowMs: number): Lane[] {
  const steps = byGeneration(run);
  const lanes = [...steps.keys()]
    .sort((a, b) => a - b)
    .map((generation) => generationLane(run, generation, steps.get(generation) ?? [], nowMs));
  const undo = undoLane(run, nowMs);
  return undo ? [...lanes, undo] : lanes;
}

function byGeneration({ steps, generation }: DrawnRun): Map<number, DrawnStep[]> {
  const groups = new Map<number, DrawnStep[]>([
    [1, []],
    [generation, []],
  ]);
  for (const step of steps) {
    const group = groups.get(step.generation);
    if (group) group.push(step);
    else groups.set(step.generation, [step]);
  }
  for (const group of groups.values()) group.sort((a, b) => a.position - b.position);
  return groups;
}

function generationLane(run: DrawnRun, generation: number, steps: DrawnStep[], nowMs: number): Lane {
  const opened = generation === 1 ? null : openedBy(run.audit, generation);
  const bare = steps.map((step) => rowOf(run, step, nowMs));
  const openedAt = generation === 1 ? run.createdAt : opened?.at;
  const startMs = openedAt ? Date.parse(openedAt) : bare.reduce((least, row) => Math.min(least, beginOf(row)), nowMs);
  const rows = queue(bare, startMs);
  return {
    key: String(generation),
    kind: generation === 1 ? "first" : "rerun",
    generation,
    version: versionIn(run, generation),
    opened,
    kept: keptBefore(run.steps, generation),
    rows,
    startMs,
    // A lane in which nothing has begun is still queued.
    endMs: endOf(rows, rows.length === 0 ? nowMs : startMs),
  };
}

function keptBefore(steps: readonly DrawnStep[], generation: number): Lane["kept"] {
  if (generation === 1) return null;
  let first: DrawnStep | null = null;
  let count = 0;
  for (const step of steps) {
    if (step.generation >= generation || (step.supersededBy !== null && step.supersededBy <= generation)) continue;
    count++;
    if (!first || step.position < first.position) first = step;
  }
  return first && { count, first: first.name };
}

function versionIn({ version, versionChanges }: DrawnRun, generation: number): number | null {
  if (versionChanges.length === 0) return null;
  return versionChanges.findLast((change) => change.generation <= generation)?.version ?? version;
}

/** The audit row of the action that opened a generation: before it the run was in an earlier one. */
function openedBy(audit: AuditRow[], generation: number): AuditRow | null {
  const generationOf = (state: unknown) => (state as { generation?: number } | null)?.generation;
  return (
    audit.find(({ before, after }) => generationOf(after) === generation && generationOf(before) !== generation) ?? null
  );
}

// A finished step is segmented once: ten thousand of them are not computed again every second.
const settledRows = new WeakMap<DrawnRun["drift"], WeakMap<DrawnStep, StepRow>>();

function rowOf(run: DrawnRun, step: DrawnStep, nowMs: number): StepRow {
  const rows = settledRows.get(run.drift) ?? new WeakMap<DrawnStep, StepRow>();
  settledRows.set(run.drift, rows);
  const known = rows.get(step);
  if (known) return known;
  const row = toRow(step, segmentsOf(step, run, nowMs), driftMark(run, step));
  if (step.finishedAt !== null && step.status !== "unknown") rows.set(step, row);
  return row;
}

const queuedRows = new WeakMap<StepRow, StepRow>();

/** The time from the opening of a lane to its first attempt was spent in the queue. */
function queue(rows: StepRow[], startMs: number): StepRow[] {
  const first = rows.reduce<StepRow | null>(
    (least, row) => (beginOf(row) < (least ? beginOf(least) : Number.POSITIVE_INFINITY) ? row : least),
    null,
  );
  if (!first || beginOf(first) <= startMs) return rows;
  const known = queuedRows.get(first);
  const queued =
    known?.segments[0]?.from === startMs
      ? known
      : { ...first, segments: [segment("queued", startMs, beginOf(first)), ...first.segments] };
  queuedRows.set(first, queued);
  return rows.map((row) => (row === first ? queued : row));
}

const beginOf = ({ segments }: StepRow) => segments[0]?.from ?? Number.POSITIVE_INFINITY;

function undoLane(run: DrawnRun, nowMs: number): Lane | null {
  const owed = run.steps.filter(({ compensation }) => compensation.status !== "none" && compensation.owedAt !== null);
  if (owed.length === 0) return null;
  const startMs = owed.reduce(
    (least, { compensation }) => Math.min(least, Date.parse(compensation.owedAt ?? run.createdAt)),
    Number.POSITIVE_INFINITY,
  );
  const rows = owed
    .sort((a, b) => Date.parse(b.finishedAt ?? "") - Date.parse(a.finishedAt ?? "") || b.position - a.position)
    .map((step) => toRow(step, [undoSegment(step, nowMs)], null));
  const opened =
    run.audit.find(
      ({ act, at, result }) => act === "compensate" && result === "done" && Date.parse(at) >= startMs - 1_000,
    ) ?? null;
  return {
    key: "undo",
    kind: "undo",
    generation: run.generation,
    version: null,
    opened,
    kept: null,
    rows,
    startMs,
    endMs: endOf(rows, startMs),
  };
}

function undoSegment({ compensation }: DrawnStep, nowMs: number): Segment {
  const from = Date.parse(compensation.owedAt ?? "");
  const to = compensation.finishedAt ? Date.parse(compensation.finishedAt) : nowMs;
  return segment(undoKind(compensation), from, Math.max(from, to));
}

function undoKind({ mode, status, by }: DrawnStep["compensation"]): SegmentKind {
  if (status === "completed" || status === "waived") return by === "worker" ? "completed" : "given";
  if (status === "running") return "executing";
  return status === "failed" || mode === "manual" ? "owed" : "queued";
}

function toRow(step: DrawnStep, segments: Segment[], drift: string | null): StepRow {
  const first = segments[0];
  const last = segments.at(-1);
  return { step, segments, tookMs: first && last ? last.to - first.from : null, drift };
}

function endOf(rows: StepRow[], atLeastMs: number): number {
  let end = atLeastMs;
  for (const { segments } of rows) for (const { to } of segments) if (to > end) end = to;
  return end;
}
