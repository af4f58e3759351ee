import { unknownRun } from "../../engine/errors";
import { MAX_SPANS_PER_RUN, type SpanDetail, safeAttributes } from "../../engine/spans/span";
import { spansOfRun } from "../../engine/spans/spans-of-run";
import type { Db } from "../../store/db";
import { selectMaskedPaths } from "../../store/privacy/masked-values";
import {
  type SpanPlaceRow,
  type SpanRow,
  selectRunTrace,
  selectSpanPlaces,
  selectSpans,
} from "../../store/reads/run-spans";
import { decodeCursor, encodeCursor } from "../cursor";

interface SpansPage {
  cursor?: string | undefined;
  limit: number;
  /** Attributes, events and status messages hold what the app put there: they are shown as payloads are. */
  mayReadPayloads: boolean;
  traceUrl: string | null;
}

type Key = [startedUs: number, traceId: string, spanId: string];
const isKey = ([startedUs, traceId, spanId]: unknown[]) =>
  Number.isSafeInteger(startedUs) && typeof traceId === "string" && typeof spanId === "string";
const keyOf = ({ startedUs, traceId, spanId }: SpanPlaceRow): Key => [startedUs, traceId, spanId];
const compare = (a: Key, b: Key) => a[0] - b[0] || (a[1] + a[2] < b[1] + b[2] ? -1 : Number(a[1] + a[2] > b[1] + b[2]));

/** The spans of a run, in the order in which they began. @throws HandrailError `unknown_run` */
export async function readRunSpans(db: Db, runId: string, { cursor, limit, mayReadPayloads, traceUrl }: SpansPage) {
  const after = cursor === undefined ? null : decodeCursor<Key>(cursor, isKey);
  const run = await selectRunTrace(db, runId);
  if (!run) throw unknownRun(runId);
  const [places, masks] = await Promise.all([selectSpanPlaces(db, runId), selectMaskedPaths(db, [run.workflow])]);
  const withheld = masks.length > 0 ? ("masked" as const) : mayReadPayloads ? null : ("permission" as const);
  const ordered = spansOfRun(places, run.alone).sort((a, b) => compare(keyOf(a), keyOf(b)));
  const rest = after === null ? ordered : ordered.filter((place) => compare(keyOf(place), after) > 0);
  const page = rest.slice(0, limit);
  const last = rest.length > limit ? page.at(-1) : undefined;
  const own = places.filter((place) => place.own).length;
  return {
    spans: (await selectSpans(db, page)).map((row) => spanView(row, withheld !== null)),
    nextCursor: last ? encodeCursor(keyOf(last)) : null,
    traceId: run.traceId,
    traceUrl: traceUrl?.replaceAll("{traceId}", run.traceId) ?? null,
    withheld,
    full: Math.max(own, places.length - own) >= MAX_SPANS_PER_RUN,
    updatedAt: new Date().toISOString(),
  };
}

function spanView(row: SpanRow, safeOnly: boolean) {
  const { attributes, statusMessage, events, leftOut } = detailOf(row.detail);
  return {
    traceId: row.trace_id,
    spanId: row.span_id,
    parentSpanId: row.parent_span_id,
    name: row.name,
    kind: row.kind,
    service: row.service,
    status: row.status,
    startedAt: new Date(row.started_us / 1_000).toISOString(),
    durationMs: (row.ended_us - row.started_us) / 1_000,
    statusMessage: safeOnly ? null : statusMessage,
    attributes: safeOnly ? safeAttributes(attributes) : attributes,
    events: safeOnly ? [] : events.map(({ atMs, ...event }) => ({ ...event, at: new Date(atMs).toISOString() })),
    leftOut,
  };
}

/** One whose key is missing says so in the place of its attributes. */
function detailOf(text: string): SpanDetail {
  const detail = JSON.parse(text) as SpanDetail | { value: string };
  if ("attributes" in detail) return detail;
  return { attributes: { locked: detail.value }, statusMessage: null, events: [], leftOut: 0 };
}
