import { ROLLUP_LEVELS } from "../../engine/flow/rollup";
import { timeOfId } from "../../engine/runs/run-ids";
import { OWN_WORKFLOWS } from "../../engine/workflows/own-workflows";
import type { Db } from "../../store/db";
import { asksOnlyFor, type RunFilter } from "../../store/reads/run-filter";
import { type HistogramRow, selectCountedStarts } from "../../store/reads/run-histogram";

/** Periods read for one chart; if a window has more of each length that is kept, the longest is read. */
const MOST_PERIODS = 400;

interface Span {
  fromMs: number;
  untilMs: number;
}

/**
 * If counting stopped in a bar, its starts come from the rollups, provided that the filter uses only dimensions that
 * rollups have. Rollups include runs that have been deleted since. What they have not counted yet, and what a bar
 * shares with another, stays a "more".
 */
export async function withCountedStarts(
  db: Db,
  rows: HistogramRow[],
  spans: readonly Span[],
  { filter, widthMs, nowMs }: { filter: RunFilter; widthMs: number; nowMs: number },
): Promise<HistogramRow[]> {
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last || !rows.some((row) => row.started_more) || !asksOnlyFor(filter, ["workflow"])) return rows;
  const level = levelOf(first.fromMs, last.untilMs, { widthMs, nowMs });
  if (!level) return rows;
  const periodMs = level.minutes * 60_000;
  const workflows = filter.workflow && filter.workflow.length > 0 ? filter.workflow : null;
  const { periods, nextId } = await selectCountedStarts(db, {
    minutes: level.minutes,
    fromMs: first.fromMs,
    untilMs: last.untilMs,
    workflows,
    without: workflows ? [] : [...OWN_WORKFLOWS],
  });
  const countedMs = nextId === null ? Number.POSITIVE_INFINITY : timeOfId(nextId);
  return rows.map((row, index) => {
    const { fromMs, untilMs } = spans[index] as Span;
    // A period that has ended holds nothing later.
    const endsMs = untilMs >= nowMs ? Number.POSITIVE_INFINITY : untilMs;
    const within = periods.filter(({ atMs }) => atMs >= fromMs && atMs + periodMs <= endsMs);
    const started = within.reduce((sum, period) => sum + period.started, 0);
    if (!row.started_more || started <= row.started) return row;
    const whole = fromMs % periodMs === 0 && untilMs % periodMs === 0 && untilMs <= countedMs;
    return { ...row, started, started_more: !whole };
  });
}

/** The finest that divides a bar, was kept for the whole window, and is not too fine for it. */
function levelOf(fromMs: number, untilMs: number, { widthMs, nowMs }: { widthMs: number; nowMs: number }) {
  const kept = ROLLUP_LEVELS.filter(
    ({ minutes, keptMs }) => fromMs > nowMs - keptMs && widthMs % (minutes * 60_000) === 0,
  );
  return kept.find(({ minutes }) => untilMs - fromMs <= MOST_PERIODS * minutes * 60_000) ?? kept.at(-1);
}
