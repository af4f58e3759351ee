import { HandrailError } from "../../engine/errors";
import type { Parts } from "../../engine/parts";
import { maskedInParts } from "../../engine/privacy/mask";
import type { LogLevel } from "../../engine/runs/log";
import type { Db } from "../../store/db";
import {
  type FoundLineRow,
  findLogPlaces,
  type LogFilter,
  type LogPlaces,
  rangesBelow,
  walking,
  walkLines,
} from "../../store/logs/log-search";
import { wordsIn } from "../../store/logs/log-words";
import { LOOKING_MS, stillToLookAt } from "../../store/reads/pace";
import { decodeCursor, encodeCursor } from "../cursor";
import { inTurns } from "../in-turns";
import { loadVeils, type Veils } from "../masking/veils";
import { atInstant } from "../runs/run-times";
import { asInstant, asInstantOrNull, asJson, asJsonOrNull } from "../values";

const DEFAULT_PAGE_SIZE = 100;
/** Lines of the first read: the time is looked at after it. */
const FIRST_LINES = 500;
/** About the most lines that one page reads. */
const MOST_LINES = 20_000;

export interface LogSearch {
  /** Words, and phrases in double quotes: a line has all of them. The last word of each is matched as the beginning of a word. */
  q?: string | undefined;
  /** This level and higher ones. */
  level?: LogLevel | undefined;
  workflow?: readonly string[] | undefined;
  step?: string | undefined;
  /** Instants, or how long ago. */
  after?: string | undefined;
  before?: string | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
  /** The caller may not see masked values, so the answer must not reveal whether one matches. */
  blind?: boolean | undefined;
  /** Milliseconds after which the search stops, having read 500 lines at least. */
  budgetMs?: number | undefined;
}

interface Found {
  lines: FoundLineRow[];
  /** The next page has lines below this id; null at the end. */
  below: number | null;
  /** Where the search ended before the page was full, by its time or its most lines: the time of the last line that it read. */
  lookedBackTo: string | null;
  leavesOut: boolean;
}

/**
 * A page of the lines of all runs that match, newest first. It reads 500 lines at least, stops after `budgetMs`, and says how far back it came.
 * @throws HandrailError `invalid_request` for a query without a word, an invalid time or an invalid cursor
 */
export async function searchLogs(
  db: Db,
  { q = "", cursor, limit = DEFAULT_PAGE_SIZE, budgetMs = LOOKING_MS, ...rest }: LogSearch,
) {
  const below = cursor === undefined ? null : decodeCursor<[number]>(cursor, ([id]) => Number.isSafeInteger(id))[0];
  const { after, before, blind = false, ...fields } = rest;
  const [nowMs, terms] = [Date.now(), termsOf(q)];
  const filter: LogFilter = {
    ...fields,
    ...(after !== undefined && { after: atInstant(after, nowMs) }),
    ...(before !== undefined && { before: atInstant(before, nowMs) }),
    terms,
    blind,
  };
  const found = await find(db, filter, { below, limit, budgetMs });
  return {
    lines: found.lines.map(({ id, at, data, ...line }) => ({
      id: String(id),
      at: asInstant(at),
      ...line,
      data: asJsonOrNull(data),
    })),
    nextCursor: found.below === null ? null : encodeCursor([found.below]),
    lookedBackTo: found.lookedBackTo,
    leavesOutMasked: found.leavesOut,
    updatedAt: new Date().toISOString(),
  };
}

interface Page {
  below: number | null;
  limit: number;
  budgetMs: number;
}

async function find(db: Db, filter: LogFilter, page: Page): Promise<Found> {
  const since = performance.now();
  const places = await findLogPlaces(db, filter, page.below);
  return walking(db, (tx) => findIn(tx, filter, places, page, since));
}

async function findIn(
  db: Db,
  filter: LogFilter,
  places: LogPlaces,
  { limit, budgetMs }: Page,
  since: number,
): Promise<Found> {
  const { ranges, more, leavesOut } = places;
  const last = ranges.at(-1);
  const lines: FoundLineRow[] = [];
  const page = (at: number | null, lookedBackTo: string | null): Found => ({
    lines,
    below: at,
    lookedBackTo,
    leavesOut,
  });
  let looked = 0;
  let reached: string | null = null;
  for (let [left, most] = [ranges, FIRST_LINES]; left.length > 0; ) {
    const wanted = limit - lines.length;
    const walked = await walkLines(db, filter, left, { most, limit: wanted });
    lines.push(...(await thatMatch(db, filter, walked.lines)));
    const lastLine = walked.lines.at(-1);
    const isFull = walked.lines.length === wanted && lastLine !== undefined;
    if (lines.length === limit && lastLine) return page(lastLine.id, null);
    // A full read ended at its last line: those between it and the bound are still to be read.
    if (walked.isPast && !isFull) return page(null, null);
    const lowest = isFull ? lastLine.id : walked.lowest;
    if (lowest === null || (!isFull && walked.looked < most)) break;
    left = rangesBelow(left, lowest);
    reached = asInstantOrNull(isFull ? lastLine.at : walked.lowestAt);
    looked += isFull ? walked.lines.length : most;
    most = stillToLookAt(Math.max(looked, FIRST_LINES), performance.now() - since, budgetMs, MOST_LINES);
    if (most === 0) return page(lowest, reached);
  }
  return more && last ? page(last[0], reached) : page(null, null);
}

const TERM = /"([^"]*)"?|(\S+)/g;

function termsOf(q: string): string[] {
  const terms = [...q.matchAll(TERM)].map(([, phrase, word]) => wordsIn(phrase ?? word ?? "").trim());
  const worded = [...new Set(terms.filter((term) => term !== ""))];
  if (worded.length > 0 || q.trim() === "") return worded;
  throw new HandrailError(
    "invalid_request",
    "The query has no word: lines are searched by letters and digits, not by punctuation.",
  );
}

/** Those whose words match: for callers who may not see masked values, the words that they are shown. */
async function thatMatch(db: Db, { terms, blind }: LogFilter, lines: readonly FoundLineRow[]): Promise<FoundLineRow[]> {
  if (terms.length === 0 || lines.length === 0) return [...lines];
  const runs = new Map(lines.map(({ runId }) => [runId, []]));
  const workflows = new Set(lines.map(({ workflow }) => workflow));
  return inTurns(fitting(lines, terms, blind ? await loadVeils(db, { runs, workflows, sees: false }) : undefined));
}

function* fitting(lines: readonly FoundLineRow[], terms: readonly string[], veils?: Veils): Parts<FoundLineRow[]> {
  const found: FoundLineRow[] = [];
  for (const line of lines) {
    const [message, data] = veils ? yield* shownOf(line, veils) : [line.message, line.data];
    const words = wordsIn(message, data, line.step, line.traceId);
    if (terms.every((term) => words.includes(` ${term}`))) found.push(line);
    yield;
  }
  return found;
}

function* shownOf({ runId, workflow, message, data }: FoundLineRow, veils: Veils): Parts<[string, string | null]> {
  const { mask, text } = yield* veils.ofRun(runId, workflow);
  const shown = data === null ? null : JSON.stringify(yield* maskedInParts(asJson(data), mask, text));
  return [yield* text.hideInParts(message), shown];
}
