import type { Span } from "@/lib/api/contract/spans";
import { formatDuration } from "@/lib/format";
import type { Lane } from "../lanes/lanes";
import { type Interval, type TimeScale, timeScale } from "../lanes/time-scale";

export interface SpanRow {
  span: Span;
  key: string;
  /** How many spans are above it. */
  depth: number;
  from: number;
  to: number;
}

const keyOf = (traceId: string, spanId: string) => `${traceId} ${spanId}`;

/** Each span below its parent, brothers in the order in which they began. A span whose parent was not received is on top. */
export function rowsOf(spans: readonly Span[]): SpanRow[] {
  const byKey = new Map(spans.map((span) => [keyOf(span.traceId, span.spanId), span]));
  const below = new Map<string | null, Span[]>();
  for (const span of spans) {
    const parent = span.parentSpanId === null ? null : keyOf(span.traceId, span.parentSpanId);
    const key = parent !== null && byKey.has(parent) ? parent : null;
    const group = below.get(key);
    if (group) group.push(span);
    else below.set(key, [span]);
  }
  const rows: SpanRow[] = [];
  const drawn = new Set<string>();
  const draw = (first: readonly Span[]) => {
    // A stack, not recursion: a chain may be thousands of spans long.
    const open = first.map((span) => ({ span, depth: 0 })).reverse();
    for (let next = open.pop(); next; next = open.pop()) {
      const { span, depth } = next;
      const key = keyOf(span.traceId, span.spanId);
      if (drawn.has(key)) continue;
      drawn.add(key);
      const from = Date.parse(span.startedAt);
      rows.push({ span, key, depth, from, to: from + span.durationMs });
      for (const child of (below.get(key) ?? []).toReversed()) open.push({ span: child, depth: depth + 1 });
    }
  };
  draw(below.get(null) ?? []);
  // What a sender says of parents may go in a circle.
  draw(spans);
  return rows;
}

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

/** Requests and statements take fractions of a millisecond. */
export const durationOf = ({ durationMs }: Pick<Span, "durationMs">): string =>
  durationMs < 10 ? `${Math.round(durationMs * 10) / 10} ms` : formatDuration(durationMs);

/** A row in words: what the bar shows. */
export function spanWords({ span, from }: SpanRow, startMs: number): string {
  const status = span.status === "error" ? ", error" : "";
  const offset =
    from >= startMs ? `${formatDuration(from - startMs)} after` : `${formatDuration(startMs - from)} before`;
  return `${span.name}, ${span.service}${status}: took ${durationOf(span)}, began ${offset} the run's start`;
}
