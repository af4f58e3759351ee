import { unknownRun } from "../../engine/errors";
import type { Parts } from "../../engine/parts";
import { maskedInParts } from "../../engine/privacy/mask";
import { MAX_LINES_PER_RUN } from "../../engine/runs/log";
import type { Db } from "../../store/db";
import { isLogFull, type LogLineRow, listLogLines } from "../../store/reads/run-log";
import { decodeCursor, encodeCursor } from "../cursor";
import { inTurns } from "../in-turns";
import { loadVeils, type Veil } from "../masking/veils";
import { asInstant, asJson, asJsonOrNull } from "../values";

const DEFAULT_PAGE_SIZE = 200;

interface LogPage {
  q?: string | undefined;
  /** For callers who may not see masked values: a search matches only what they are shown. */
  blind?: boolean | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
}

/** The run's log lines, in order. @throws HandrailError `unknown_run` */
export async function readRunLog(
  db: Db,
  runId: string,
  { q, cursor, limit = DEFAULT_PAGE_SIZE, blind = false }: LogPage,
) {
  const after = cursor === undefined ? 0 : decodeCursor<[number]>(cursor, ([id]) => Number.isSafeInteger(id))[0];
  const full = await isLogFull(db, runId, MAX_LINES_PER_RUN);
  if (full === undefined) throw unknownRun(runId);
  const range = { after, q: q || null, limit: limit + 1 };
  const rows = await (blind && q ? searchAsShown(db, runId, { ...range, q }) : listLogLines(db, runId, range));
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    lines: page.map(lineView),
    nextCursor: last ? encodeCursor([last.id]) : null,
    full,
    updatedAt: new Date().toISOString(),
  };
}

/** The lines of a run are bounded, so a search may read all of them. */
const LINES_AT_ONCE = 1_000;

async function searchAsShown(
  db: Db,
  runId: string,
  { after, q, limit }: { after: number; q: string; limit: number },
): Promise<LogLineRow[]> {
  const veils = await loadVeils(db, { runs: new Map([[runId, []]]), workflows: new Set(), sees: false });
  const veil = await inTurns(veils.ofRun(runId, null));
  const found: LogLineRow[] = [];
  for (let from = after; ; ) {
    const rows = await listLogLines(db, runId, { after: from, q: null, limit: LINES_AT_ONCE });
    found.push(...(await inTurns(fitting(rows, veil, q.toLowerCase()))));
    const last = rows.at(-1);
    if (!last || rows.length < LINES_AT_ONCE || found.length >= limit) return found.slice(0, limit);
    from = last.id;
  }
}

function* fitting(rows: readonly LogLineRow[], { mask, text }: Veil, q: string): Parts<LogLineRow[]> {
  const found: LogLineRow[] = [];
  for (const row of rows) {
    const { message, step, data } = row;
    const shown = data === null ? "" : JSON.stringify(yield* maskedInParts(asJson(data), mask, text));
    const line = [yield* text.hideInParts(message), step ?? "", shown].join("\n");
    if (line.toLowerCase().includes(q)) found.push(row);
  }
  return found;
}

const lineView = ({ id, at, data, ...line }: LogLineRow) => ({
  id: String(id),
  at: asInstant(at),
  ...line,
  data: asJsonOrNull(data),
});
