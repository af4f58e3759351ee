import type { StepStatus } from "@/lib/engine/steps/step";
import type { Lane, StepRow } from "../lanes/lanes";
import { groupLoops, isLoop, type Loop } from "../lanes/loops";
import type { Interval } from "../lanes/time-scale";
import type { NestedRest, NestedRun, Place } from "./nested-run";

/** What is drawn, top to bottom: a header per lane, then its rows. */
export type TimelineItem =
  /** `outside`: none of it is in the window. */
  | { type: "lane"; lane: Lane; open: boolean; outside?: true }
  | { type: "kept"; lane: Lane }
  | { type: "loop"; lane: Lane; loop: Loop; open: boolean }
  /** `place`: of an open child. */
  | { type: "step"; lane: Lane; row: StepRow; inLoop: boolean; place?: Place }
  /** Rows that the window or the search leaves out. */
  | { type: "rest"; lane: Lane; count: number; place?: Place }
  /** Above the steps of an open child, and of one with more steps than came with it. */
  | { type: "child"; lane: Lane; child: NestedRun; place: Place }
  | { type: "more"; lane: Lane; rest: NestedRest; place: Place };

/** The filter of the lanes. */
export interface Sight {
  window: Interval | null;
  /** Text in a step's name or error, in any case. */
  find: string;
  only: readonly StepStatus[];
  /** Keys of lanes that are not in their default state. */
  lanes: readonly string[];
  /** Keys of loops that are open. */
  loops: readonly string[];
}

/** With more lanes than this, only the last ones are open by default. */
const OPEN_LANES = 6;
/** At most so many steps of a closed loop that are not simply done. */
const TELLING = 20;

export const loopKey = (lane: Lane, { stem }: Loop) => `${lane.key} ${stem}`;

export function isOpen(lanes: readonly Lane[], lane: Lane, { lanes: toggled }: Pick<Sight, "lanes">): boolean {
  const byItself = lanes.length <= OPEN_LANES || lanes.indexOf(lane) >= lanes.length - 2;
  return toggled.includes(lane.key) ? !byItself : byItself;
}

/** @param step what is chosen: its row is there, whatever is closed */
export function itemsOf(
  lanes: readonly Lane[],
  sight: Sight,
  chosen: { name: string; generation: number } | null,
): TimelineItem[] {
  const isChosen = ({ step }: StepRow) => step.name === chosen?.name && step.generation === chosen.generation;
  return lanes.flatMap((lane): TimelineItem[] => {
    const open = isOpen(lanes, lane, sight) || isSearch(sight);
    const header: TimelineItem = { type: "lane", lane, open };
    if (!open) return [header, ...lane.rows.filter(isChosen).map((row) => asItem(lane, row))];
    const seen =
      isSearch(sight) || sight.window ? lane.rows.filter((row) => isSeen(row, sight) || isChosen(row)) : lane.rows;
    if (seen.length === 0 && sight.window && !isSearch(sight)) return [{ ...header, open: false, outside: true }];
    const kept: TimelineItem[] = lane.kept && !isSearch(sight) ? [{ type: "kept", lane }] : [];
    const rest = lane.rows.length - seen.length;
    return [
      header,
      ...kept,
      ...rowsOf(lane, seen, sight, isChosen),
      ...(rest > 0 ? [{ type: "rest" as const, lane, count: rest }] : []),
    ];
  });
}

const asItem = (lane: Lane, row: StepRow, inLoop = false): TimelineItem => ({ type: "step", lane, row, inLoop });

const isSearch = ({ find, only }: Pick<Sight, "find" | "only">) => find !== "" || only.length > 0;

export function isSeen({ step, segments }: StepRow, { window, find, only }: Pick<Sight, "window" | "find" | "only">) {
  if (only.length > 0 && !only.includes(step.status)) return false;
  if (window && !segments.some(({ from, to }) => to >= window.from && from <= window.to)) return false;
  if (find === "") return true;
  const text = find.toLowerCase();
  const { error } = step;
  return [step.name, error?.name, error?.message, error?.code].some((part) => part?.toLowerCase().includes(text));
}

function rowsOf(lane: Lane, rows: StepRow[], sight: Sight, isChosen: (row: StepRow) => boolean): TimelineItem[] {
  if (isSearch(sight)) return rows.map((row) => asItem(lane, row));
  return groupLoops(rows).flatMap((entry): TimelineItem[] => {
    if (!isLoop(entry)) return [asItem(lane, entry)];
    const open = sight.loops.includes(loopKey(lane, entry));
    const shown = open ? entry.rows : telling(entry.rows, isChosen);
    return [{ type: "loop", lane, loop: entry, open }, ...shown.map((row) => asItem(lane, row, true))];
  });
}

/** The steps of a closed loop that are not simply done, and the selected one. */
function telling(rows: StepRow[], isChosen: (row: StepRow) => boolean): StepRow[] {
  let shown = 0;
  return rows.filter((row) => {
    if (isChosen(row)) return true;
    const { status, supersededBy } = row.step;
    const done = status === "completed" || status === "skipped" || supersededBy !== null;
    return !done && shown++ < TELLING;
  });
}
