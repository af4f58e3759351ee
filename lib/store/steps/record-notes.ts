import { MAX_LINES_PER_RUN, type Progress } from "../../engine/runs/log";
import { type Column, givenRows } from "../given-rows";
import type { ClaimRecord, LogRecord } from "../workers/claim-record";

/*
 * Lines and progress: parts of the statement in record-statement.ts, under its fence, and left out of it if there are
 * none. Concurrent flushes may exceed the cap of a run by one flush's lines; nothing depends on it.
 */

interface LogRow {
  runId: string;
  no: number;
  line: LogRecord;
}
export interface ProgressRow {
  runId: string;
  no: number;
  progress: Progress;
}

export const LOG_COLUMNS: readonly Column<LogRow>[] = [
  ["run_id", "uuid", ({ runId }) => runId],
  ["no", "int", ({ no }) => no],
  ["key", "text", ({ line }) => line.key],
  ["during", "text", ({ line }) => line.during],
  ["step", "text", ({ line }) => line.step],
  ["attempt", "int", ({ line }) => line.attempt],
  ["message", "text", ({ line }) => line.message],
  ["data", "text", ({ line }) => line.data],
  ["level", "text", ({ line }) => (line.level === "info" ? null : line.level)],
  ["trace_id", "text", ({ line }) => line.traceId],
  ["age_ms", "float8", ({ line }) => line.ageMs],
];

export const PROGRESS_COLUMNS: readonly Column<ProgressRow>[] = [
  ["run_id", "uuid", ({ runId }) => runId],
  ["no", "int", ({ no }) => no],
  ["done", "float8", ({ progress }) => progress.done],
  ["total", "float8", ({ progress }) => progress.total],
  ["note", "text", ({ progress }) => progress.note],
];

export const logRows = (records: readonly ClaimRecord[]): LogRow[] =>
  records.flatMap(({ runId, logs = [] }) => logs.map((line) => ({ runId, line }))).map((row, no) => ({ ...row, no }));

export const progressRows = (records: readonly ClaimRecord[]): ProgressRow[] =>
  records.flatMap(({ runId, progress }, no) => (progress ? [{ runId, progress, no }] : []));

export const logsText = (first: number) => `
  log_kept as (
    insert into handrail.log (run_id, key, during, step, attempt, message, data, level, trace_id, at)
    select given.run_id, given.key, given.during, given.step, given.attempt, given.message, given.data, coalesce(given.level, 'info'), given.trace_id,
      clock_timestamp() - given.age_ms * interval '1 ms'
    from ${givenRows(LOG_COLUMNS, first)}
    where given.run_id in (
      select run_id from (select distinct run_id from fenced where holds) as said
      where not exists (
        select from handrail.log where log.run_id = said.run_id order by log.id offset ${MAX_LINES_PER_RUN - 1} limit 1))
    order by given.no
    on conflict (run_id, key) do nothing
  )`;

// The latest of a run with several: one statement cannot change a row twice.
export const progressText = (first: number) => `
  progress_kept as (
    insert into handrail.progress (run_id, done, total, note)
    select distinct on (given.run_id) given.run_id, given.done, given.total, given.note
    from ${givenRows(PROGRESS_COLUMNS, first)}
    where given.run_id in (select run_id from fenced where holds)
    order by given.run_id, given.no desc
    on conflict (run_id) do update
      set done = excluded.done, total = excluded.total, note = excluded.note, at = clock_timestamp()
  )`;
