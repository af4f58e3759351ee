import { MAX_SPANS_PER_RUN, type SpanKind, type SpanStatus } from "../../engine/spans/span";
import type { SpanPlace } from "../../engine/spans/spans-of-run";
import type { Db, Statement } from "../db";
import { shown } from "../payloads";
import { traceIdOf } from "../spans/trace-id";

/** Each of its two parts is bounded where spans are kept, approximately. */
const MOST = 2 * MAX_SPANS_PER_RUN;

const placesStatement: Statement = {
  name: "run-span-places",
  text: `
    with own as (
      select trace_id, span_id, parent_span_id, started_at from handrail.span where run_id = $1::uuid limit ${MOST}
    ), traces as (
      select ${traceIdOf("run")} as trace_id from handrail.run where id = $1::uuid union select trace_id from own
    ), shared as (
      select span.trace_id, span_id, parent_span_id, started_at
      from traces join handrail.span using (trace_id) where run_id is null limit ${MOST}
    )
    select trace_id as "traceId", span_id as "spanId", parent_span_id as "parentSpanId", true as own, false as "belowAnother",
      (extract(epoch from started_at) * 1000000)::bigint as "startedUs"
    from own
    union all
    select trace_id, span_id, parent_span_id, false, exists (
        select from handrail.span as above where above.trace_id = shared.trace_id and above.span_id = shared.parent_span_id
          and above.run_id <> $1::uuid),
      (extract(epoch from started_at) * 1000000)::bigint
    from shared`,
};

/** @param startedUs microseconds since 1970 */
export type SpanPlaceRow = SpanPlace & { startedUs: number };

/** Where the spans are that may belong to a run: those that name it, and those of its traces that name none. */
export const selectSpanPlaces = (db: Db, runId: string) => db.query<SpanPlaceRow>(placesStatement, [runId]);

const factsStatement: Statement = {
  name: "run-trace",
  text: `
    select workflow, ${traceIdOf("run")} as "traceId",
      not exists (select from handrail.run as other where other.id <> run.id
          and substr(other.trace, 4, 32) = ${traceIdOf("run")})
        and not exists (select from handrail.span where span.trace_id = ${traceIdOf("run")} and span.run_id <> run.id) as alone
    from handrail.run where id = $1::uuid`,
};

interface TraceFacts {
  workflow: string;
  traceId: string;
  /** No other run is known to be of its trace. */
  alone: boolean;
}

/** Undefined for an unknown run. */
export async function selectRunTrace(db: Db, runId: string): Promise<TraceFacts | undefined> {
  const [row] = await db.query<TraceFacts>(factsStatement, [runId]);
  return row;
}

export interface SpanRow {
  trace_id: string;
  span_id: string;
  parent_span_id: string | null;
  name: string;
  kind: SpanKind;
  service: string;
  status: SpanStatus;
  started_us: number;
  ended_us: number;
  /** JSON text. */
  detail: string;
}

const spansStatement: Statement = {
  name: "run-spans",
  text: `
    select trace_id, span_id, parent_span_id, name, kind, service, status, detail,
      (extract(epoch from started_at) * 1000000)::bigint as started_us, (extract(epoch from ended_at) * 1000000)::bigint as ended_us
    from unnest($1::text[], $2::text[]) with ordinality as given (trace_id, span_id, place)
    join handrail.span using (trace_id, span_id) order by place`,
};

/** In the given order. A detail that does not open says so. */
export async function selectSpans(db: Db, places: readonly SpanPlace[]): Promise<SpanRow[]> {
  const keys = [places.map(({ traceId }) => traceId), places.map(({ spanId }) => spanId)];
  const rows = await db.query<SpanRow>(spansStatement, keys);
  return rows.map((row) => ({ ...row, detail: shown([row.trace_id, "span", row.span_id], row.detail) }));
}
