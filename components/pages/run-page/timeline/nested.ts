import { type DrawnRun, type Lane, lanesOf, type StepRow } from "../lanes/lanes";
import type { Interval } from "../lanes/time-scale";
import { isSeen, type TimelineItem } from "./items";
import type { NestedRuns } from "./nested-run";

/** Deeper ones are opened on their own page. */
export const DEEPEST = 5;

export function nestedRows(run: DrawnRun, nowMs: number): StepRow[] {
  return lanesOf(run, nowMs)
    .filter(({ kind }) => kind !== "undo")
    .flatMap(({ rows }) => rows)
    .filter(({ step }) => step.supersededBy === null)
    .sort((a, b) => a.step.position - b.step.position);
}

/** The child that a row can be opened to show. */
export function childOf({ step }: StepRow, kind: Lane["kind"], depth: number): string | null {
  return step.kind === "child" && kind !== "undo" && depth < DEEPEST ? step.reference : null;
}

/** The rows of open children, each under the step that has started it. */
export function withChildren(items: TimelineItem[], nested: NestedRuns, window: Interval | null): TimelineItem[] {
  if (nested.size === 0) return items;
  const below = (lane: Lane, row: StepRow, depth: number): TimelineItem[] => {
    const runId = childOf(row, lane.kind, depth);
    const child = runId === null ? undefined : nested.get(runId);
    if (runId === null || !child) return [];
    const place = { runId, depth: depth + 1 };
    const seen = window ? child.rows.filter((one) => isSeen(one, { window, find: "", only: [] })) : child.rows;
    const out = child.rows.length - seen.length;
    return [
      { type: "child", lane, child, place },
      // Before its steps: what it loads appears below it, and moves neither it nor what is read above.
      ...(child.rest ? [{ type: "more" as const, lane, rest: child.rest, place }] : []),
      ...seen.flatMap((one): TimelineItem[] => [
        { type: "step", lane, row: one, inLoop: false, place },
        ...below(lane, one, depth + 1),
      ]),
      ...(out > 0 ? [{ type: "rest" as const, lane, count: out, place }] : []),
    ];
  };
  return items.flatMap((item) => (item.type === "step" ? [item, ...below(item.lane, item.row, 0)] : [item]));
}

/** The lanes with what runs in open children, so that no time in which something runs is folded as idle. */
export function lanesWithChildren(lanes: Lane[], nested: NestedRuns): Lane[] {
  if (nested.size === 0) return lanes;
  const below = (rows: StepRow[], kind: Lane["kind"], depth: number): StepRow[] =>
    rows.flatMap((row) => {
      const runId = childOf(row, kind, depth);
      const inside = runId === null ? undefined : nested.get(runId)?.rows;
      return inside ? [...inside, ...below(inside, kind, depth + 1)] : [];
    });
  return lanes.map((lane) => ({ ...lane, rows: [...lane.rows, ...below(lane.rows, lane.kind, 0)] }));
}
