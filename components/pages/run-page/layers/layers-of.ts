import type { LogLine } from "@/lib/api/contract/log";
import type { Span } from "@/lib/api/contract/spans";
import type { DrawnStep, NormalStep } from "@/lib/api/contract/steps";
import { stepPattern } from "@/lib/engine/steps/step-pattern";
import { formatDuration } from "@/lib/format";
import type { Lane, StepRow } from "../lanes/lanes";
import { isWait } from "../lanes/step-segments";
import type { Layers, Mark } from "./layer";
import { goodWords, usualWords } from "./words";

/** What is known of each layer; null: it is not shown, or not loaded yet. */
export interface Known {
  runId: string;
  usual: readonly NormalStep[] | null;
  /** Steps of a run that went well. */
  good: readonly DrawnStep[] | null;
  logs: readonly LogLine[] | null;
  spans: readonly Span[] | null;
}

/** Marks of one row at most, of each kind: more could not be distinguished. */
const MOST = 200;
/** Instants come from several clocks and are rounded to the millisecond. */
const SLACK_MS = 2;

export function layersOf({ runId, usual, good, logs, spans }: Known): Layers {
  const usualOf = new Map(usual?.map((step) => [step.step, step]));
  const goodOf = new Map(good?.filter(({ supersededBy }) => supersededBy === null).map((step) => [step.name, step]));
  const lines = byKey(logs ?? [], ({ step }) => step);
  const calls = byKey(callsOfSteps(spans ?? []), ([step]) => step);
  const rows = new WeakMap<StepRow, Mark[]>();
  const lanes = new WeakMap<Lane, Mark[]>();
  const marksOf = (row: StepRow): Mark[] => {
    const { name } = row.step;
    const pattern = stepPattern(name);
    const from = row.segments[0]?.from ?? Number.POSITIVE_INFINITY;
    const to = row.segments.at(-1)?.to ?? 0;
    const within = ({ from: at }: Mark) => at >= from - SLACK_MS && at <= to + SLACK_MS;
    const [normal, other] = [usualOf.get(pattern), goodOf.get(name)];
    return [
      ...(normal && !isWait(row.step) ? usualMark(row.step, normal) : []),
      ...(other ? goodMark(row.step, other) : []),
      ...(lines.get(name) ?? []).map((line) => lineMark(runId, line)).filter(within),
      // Where a workflow masks fields, spans have the step's name without its data.
      ...[...(calls.get(name) ?? []), ...((name === pattern ? undefined : calls.get(pattern)) ?? [])]
        .map(([, span]) => spanMark(runId, span))
        .filter(within)
        .slice(0, MOST),
    ];
  };
  return {
    ofRow: (row) => kept(rows, row, marksOf),
    ofLane: (lane) =>
      kept(lanes, lane, ({ kind, startMs, endMs }) =>
        kind === "undo"
          ? []
          : (lines.get(null) ?? [])
              .map((line) => lineMark(runId, line))
              .filter(({ from }) => from >= startMs - SLACK_MS && from <= endMs + SLACK_MS),
      ),
  };
}

function kept<Of extends object>(known: WeakMap<Of, Mark[]>, of: Of, make: (of: Of) => Mark[]): Mark[] {
  const marks = known.get(of) ?? make(of);
  known.set(of, marks);
  return marks;
}

function byKey<Item>(items: readonly Item[], keyOf: (item: Item) => string | null): Map<string | null, Item[]> {
  const groups = new Map<string | null, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** From where the step's last attempt began: what came before is waiting, which no execution has. */
const mark = (layer: Mark["layer"], from: number, to: number, text: string): Mark => ({
  ...{ layer, from, to, text },
  ...{ href: null, isError: false },
});

function usualMark(step: DrawnStep, normal: NormalStep): Mark[] {
  const begun = Date.parse(step.startedAt);
  return [mark("usual", begun + normal.p50Ms, begun + normal.p95Ms, usualWords(normal))];
}

function goodMark(step: DrawnStep, other: DrawnStep): Mark[] {
  if (other.finishedAt === null) return [];
  const begun = Date.parse(step.startedAt);
  const tookMs = Date.parse(other.finishedAt) - Date.parse(other.startedAt);
  return [mark("good", begun, begun + tookMs, goodWords(tookMs))];
}

function lineMark(runId: string, { id, at, message }: LogLine): Mark {
  const from = Date.parse(at);
  const text = message.split("\n")[0]?.slice(0, 200) ?? "";
  return {
    ...mark("logs", from, from, `log: ${text}`),
    href: `/runs/${runId}?tab=logs&line=${encodeURIComponent(id)}`,
  };
}

function spanMark(runId: string, span: Span): Mark {
  const from = Date.parse(span.startedAt);
  const failed = span.status === "error" ? ", error" : "";
  return {
    ...mark("spans", from, from + span.durationMs, `span ${span.name}${failed}: ${formatDuration(span.durationMs)}`),
    href: `/runs/${runId}?tab=trace&span=${span.spanId}`,
    isError: span.status === "error",
  };
}

/** Spans of the app with the step in whose attempt each was made. */
function callsOfSteps(spans: readonly Span[]): [step: string, span: Span][] {
  const stepOf = stepsOfSpans(spans);
  return spans.flatMap((span): [string, Span][] => {
    const step = stepOf(span)?.name;
    return step === undefined || "handrail.run.id" in span.attributes ? [] : [[step, span]];
  });
}

interface SpanStep {
  name: string;
  attempt: number | null;
}

/** The step, and its attempt, that a span or the nearest one above it names. */
export function stepsOfSpans(spans: readonly Span[]): (span: Span) => SpanStep | null {
  const byId = new Map(spans.map((span) => [`${span.traceId} ${span.spanId}`, span]));
  const known = new Map<Span, SpanStep | null>();
  return (span) => {
    const way: Span[] = [];
    let found: SpanStep | null = null;
    // What a sender says of parents may go in a circle: the way ends where it was before.
    for (let next: Span | undefined = span; next && !way.includes(next); ) {
      const before = known.get(next);
      found = before ?? stepIn(next);
      if (before !== undefined || found) break;
      way.push(next);
      next = next.parentSpanId === null ? undefined : byId.get(`${next.traceId} ${next.parentSpanId}`);
    }
    for (const one of way) known.set(one, found);
    return found;
  };
}

function stepIn({ attributes }: Span): SpanStep | null {
  const { "handrail.step.name": name, "handrail.step.attempt": attempt } = attributes;
  return typeof name === "string" ? { name, attempt: typeof attempt === "number" ? attempt : null } : null;
}
