import type { Span } from "@/lib/api/contract/spans";
import { type Nested, nestSpans } from "@/lib/engine/spans/span-tree";
import { formatDuration } from "@/lib/format";
import { formatFineDuration } from "@/lib/format/fine-duration";
import type { Lane } from "../lanes/lanes";
import { type Interval, type TimeScale, timeScale } from "../lanes/time-scale";

export interface SpanRow extends Nested<Span> {
  from: number;
  to: number;
}

export const rowsOf = (spans: readonly Span[]): SpanRow[] =>
  nestSpans(spans).map((row) => {
    const from = Date.parse(row.span.startedAt);
    return { ...row, from, to: from + row.span.durationMs };
  });

/** Of Handrail: a wait is a span of its whole length. */
const isOfEngine = ({ attributes }: Span) => "handrail.run.id" in attributes;

/** The timeline's axis, and as far before and after it as spans go; the same stretches are folded. */
export function spanScale(
  rows: readonly SpanRow[],
  lanes: readonly Lane[],
  window: Interval | null,
  unfolded: ReadonlySet<number>,
): TimeScale {
  const steps = lanes
    .flatMap(({ rows }) => rows.flatMap(({ segments }) => segments))
    .filter(({ idle }) => idle === null);
  const all: Interval[] = [...lanes.map(({ startMs: from, endMs: to }) => ({ from, to })), ...rows];
  const span = window ?? {
    from: all.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY),
    to: all.reduce((most, { to }) => Math.max(most, to), 0),
  };
  const busy = [...steps, ...rows.filter(({ span }) => !isOfEngine(span))];
  return timeScale(
    span,
    busy.filter(({ from, to }) => to >= span.from && from <= span.to),
    unfolded,
  );
}

/** A row in words: what the bar shows. */
export function spanWords({ span, from }: SpanRow, startMs: number): string {
  const status = span.status === "error" ? ", error" : "";
  const offset =
    from >= startMs ? `${formatDuration(from - startMs)} after` : `${formatDuration(startMs - from)} before`;
  return `${span.name}, ${span.service}${status}: took ${formatFineDuration(span.durationMs)}, began ${offset} the run's start`;
}
