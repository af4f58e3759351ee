import type { LogLevel, LogSource } from "../../engine/runs/log";
import type { Db, Statement } from "../db";
import type { RowInstant } from "../rows";

export interface LogLineRow {
  id: number;
  at: RowInstant;
  level: LogLevel;
  during: LogSource;
  step: string | null;
  attempt: number | null;
  message: string;
  /** JSON text. */
  data: string | null;
  traceId: string | null;
}

/** A run's lines are bounded, so a search may read all of them. */
const linesStatement: Statement = {
  name: "run-log",
  text: `
    select id, at, level, during, step, attempt, message, data, trace_id as "traceId" from handrail.log
    where run_id = $1::uuid and id > $2::bigint
      and ($3::text is null or message ilike $3::text or data ilike $3::text or step ilike $3::text)
    order by id limit $4::int`,
};

const factsStatement: Statement = {
  name: "run-log-facts",
  text: `
    select exists (select from handrail.log where run_id = $1::uuid order by id offset $2::int - 1 limit 1) as full
    from handrail.run where id = $1::uuid`,
};

/** In order, after the line `after`. `q` is text, not a pattern. */
export function listLogLines(db: Db, runId: string, page: { after: number; q: string | null; limit: number }) {
  const pattern = page.q && `%${page.q.replace(/[\\%_]/g, "\\$&")}%`;
  return db.query<LogLineRow>(linesStatement, [runId, page.after, pattern, page.limit]);
}

/** Whether the run has `most` lines or more; undefined for an unknown run. */
export async function isLogFull(db: Db, runId: string, most: number): Promise<boolean | undefined> {
  const [row] = await db.query<{ full: boolean }>(factsStatement, [runId, most]);
  return row?.full;
}
