import { HELD_MS, MAX_HELD, MAX_SPANS_PER_RUN, type Span } from "../../engine/spans/span";
import type { Db, Statement } from "../db";
import { type Column, givenRows, givenValues } from "../given-rows";
import { sealed } from "../payloads";

const COLUMNS: Column<Span>[] = [
  ["trace_id", "text", ({ traceId }) => traceId],
  ["span_id", "text", ({ spanId }) => spanId],
  ["parent_span_id", "text", ({ parentSpanId }) => parentSpanId],
  ["run_id", "uuid", ({ runId }) => runId],
  ["name", "text", ({ name }) => name],
  ["kind", "text", ({ kind }) => kind],
  ["service", "text", ({ service }) => service],
  ["status", "text", ({ status }) => status],
  ["started_us", "bigint", ({ startedUs }) => startedUs],
  ["ended_us", "bigint", ({ endedUs }) => endedUs],
  ["detail", "text", ({ traceId, spanId, detail }) => sealed([traceId, "span", spanId], JSON.stringify(detail))],
];

/*
 * Guarantee: a span is kept once, however often it is sent, and none is kept of a run that is being deleted: an ended run is
 * locked against its deletion (in the order of ids, as a deletion locks), and one that goes on is not deleted. Spans without
 * a run are held, for its start may commit later. Races with: itself. Each of two at once may fill the room that both saw.
 */
const keepStatement: Statement = {
  name: "keep-spans",
  text: `
    with given as materialized (
      select * from ${givenRows(COLUMNS, 1)}
    ), traces as (
      select distinct trace_id from given
    ), found as (
      select id, null as trace_id, finished_at is not null as ended from handrail.run
      where id in (select run_id from given where run_id is not null)
      union all
      select run.id, trace_id, finished_at is not null from traces join handrail.run on run.id = trace_id::uuid
      union all
      select of_trace.id, trace_id, of_trace.ended from traces cross join lateral (
        select id, finished_at is not null as ended from handrail.run where substr(run.trace, 4, 32) = trace_id limit 1
      ) as of_trace
      union all
      select run.id, trace_id, finished_at is not null from traces cross join lateral (
        select run_id from handrail.span where span.trace_id = traces.trace_id and run_id is not null and held_until is null limit 1
      ) as of_span join handrail.run on run.id = of_span.run_id
    ), locked as materialized (
      select id from handrail.run where id in (select id from found where ended) order by id for key share
    ), there as (
      select id, trace_id from found where not ended or id in (select id from locked)
    ), placed as (
      select given.*, named.id is null and traced.trace_id is null as held,
        case when named.id is not null or traced.trace_id is null then given.run_id end as owner
      from given
      left join (select distinct id from there) as named on named.id = given.run_id
      left join (select distinct trace_id from there where trace_id is not null) as traced on traced.trace_id = given.trace_id
    ), fresh as (
      select *, case when held then 'held' else coalesce(owner::text, trace_id) end as place
      from placed where not exists (
        select from handrail.span where span.trace_id = placed.trace_id and span.span_id = placed.span_id)
    ), place as (
      select place, held, case when held then ${MAX_HELD} else ${MAX_SPANS_PER_RUN} end - case
        when held then (select count(*) from (
          select from handrail.span where span.held_until is not null limit ${MAX_HELD}) as kept)
        when owner is not null then (select count(*) from (
          select from handrail.span where span.run_id = owner limit ${MAX_SPANS_PER_RUN}) as kept)
        else (select count(*) from (
          select from handrail.span where span.trace_id = place and span.run_id is null limit ${MAX_SPANS_PER_RUN}) as kept)
      end as room
      from (select distinct place, held, case when not held then owner end as owner from fresh) as places
    ), ranked as (
      select fresh.*, row_number() over (partition by place order by started_us) as rank from fresh
    ), fitting as (
      select ranked.*, rank <= room as fits from ranked join place using (place)
    ), kept as (
      insert into handrail.span
        (trace_id, span_id, parent_span_id, run_id, name, kind, service, status, started_at, ended_at, detail, held_until)
      select trace_id, span_id, parent_span_id, owner, name, kind, service, status,
        timestamptz 'epoch' + started_us * interval '1 microsecond', timestamptz 'epoch' + ended_us * interval '1 microsecond',
        detail, case when held then clock_timestamp() + ${HELD_MS} * interval '1 ms' end
      from fitting where fits
      on conflict do nothing
    )
    select count(*) filter (where not fits and not held)::int as full, count(*) filter (where not fits and held)::int as unknown
    from fitting`,
};

interface NotKept {
  /** Their run or trace has as many as are kept of one. */
  full: number;
  /** No run is known, and as many wait for one as may. */
  unknown: number;
}

/** Keeps spans, once each. Returns how many it refused for good, and why. */
export async function keepSpans(db: Db, spans: readonly Span[]): Promise<NotKept> {
  const [row] = await db.query<NotKept>(keepStatement, givenValues(COLUMNS, spans));
  return row as NotKept;
}

/** Held spans that one request looks at. */
const RELEASED_AT_ONCE = 20_000;

/*
 * Spans that have waited long enough: those whose run has come stay with it, the others go. Races with: itself; rows that
 * another call looks at are skipped. A run that is deleted meanwhile takes along the spans of its trace, held or not.
 */
const releaseStatement: Statement = {
  name: "release-held-spans",
  text: `
    with due as (
      select trace_id, span_id, run_id from handrail.span where held_until < (select clock_timestamp())
      order by held_until limit ${RELEASED_AT_ONCE} for update skip locked
    ), judged as (
      select trace_id, span_id, exists (select from handrail.run where id = due.run_id) as named,
        exists (select from handrail.run where run.id = due.trace_id::uuid)
          or exists (select from handrail.run where substr(run.trace, 4, 32) = due.trace_id)
          or exists (select from handrail.span as other
            where other.trace_id = due.trace_id and other.run_id is not null and other.held_until is null) as traced
      from due
    ), stays as (
      update handrail.span set held_until = null, run_id = case when named then run_id end from judged
      where span.trace_id = judged.trace_id and span.span_id = judged.span_id and (named or traced)
    )
    delete from handrail.span using judged
    where span.trace_id = judged.trace_id and span.span_id = judged.span_id and not named and not traced`,
};

/** Ends the wait of spans that are held since too long: every request does, so that nothing else needs to. */
export async function releaseHeldSpans(db: Db): Promise<void> {
  await db.query(releaseStatement, []);
}
