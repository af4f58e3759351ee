import { MAX_LINES_PER_RUN } from "../engine/log";
import type { Db } from "../store/db";
import { isLogFull, type LogLineRow, listLogLines } from "../store/reads/run-log";
import { unknownRun } from "./command";
import { decodeCursor, encodeCursor } from "./cursor";
import { asInstant, asJsonOrNull } from "./values";

const DEFAULT_PAGE_SIZE = 200;

interface LogPage {
  q?: string | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
}

/** What the run's code said, in order. @throws HandrailError `unknown_run` */
export async function readRunLog(db: Db, runId: string, { q, cursor, limit = DEFAULT_PAGE_SIZE }: LogPage) {
  const after = cursor === undefined ? 0 : decodeCursor<[number]>(cursor, ([id]) => Number.isSafeInteger(id))[0];
  const full = await isLogFull(db, runId, MAX_LINES_PER_RUN);
  if (full === undefined) throw unknownRun(runId);
  const rows = await listLogLines(db, runId, { after, q: q || null, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    lines: page.map(lineView),
    nextCursor: last ? encodeCursor([last.id]) : null,
    full,
    updatedAt: new Date().toISOString(),
  };
}

const lineView = ({ id, at, data, ...line }: LogLineRow) => ({
  id: String(id),
  at: asInstant(at),
  ...line,
  data: asJsonOrNull(data),
});
