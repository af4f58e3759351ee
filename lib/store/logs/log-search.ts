import { type Db, sqlState } from "../db";
import { MASKS_NOTHING } from "../privacy/masks-nothing";
import { Parameters } from "../reads/run-filter";
import type { LogLineRow } from "../reads/run-log";
import { namedRun, type RunNaming } from "../reads/run-naming";
import type { RowInstant } from "../rows";
import { BLOCK_BITS, type BlockFilter, blockQuery, LINES_PER_BLOCK, levelsFrom, probesOf } from "./log-words";

export interface LogFilter extends BlockFilter {
  after?: string | undefined;
  before?: string | undefined;
}

export interface FoundLineRow extends LogLineRow {
  runId: string;
  workflow: string;
  named: RunNaming;
}

/** Ids of lines: from, and below. */
export type LogRange = readonly [from: number, below: number];

/** Found at once; a search reads a fraction of them in its time. */
const MOST_BLOCKS = 1_000;
/**
 * Of the look-up in the index of words. It takes milliseconds, unless millions of words begin like one that is searched:
 * then nearly every block has one, and the index saves nothing.
 */
const LOOKUP_MS = 40;
/** A line may have been logged this long before it was written: others after it are still to be read. */
const WRITTEN_WITHIN_MS = 60_000;

export interface LogPlaces {
  /** Newest first: lines that are not in a block yet, then blocks that may have a matching line. */
  ranges: LogRange[];
  /** There are more blocks further back. */
  more: boolean;
  /** The workflows' masks close some lines to this search. */
  leavesOut: boolean;
}

/** Where lines that match may be, below an id; found by the words of blocks, and by their time. */
export async function findLogPlaces(db: Db, filter: LogFilter, below: number | null): Promise<LogPlaces> {
  const words = blockQuery(filter);
  if (words === null) return placesOf(db, filter, null, below);
  try {
    return await db.transaction(async (tx) => {
      // Any other plan would unpack the words of every block.
      const settings = `select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true), set_config('statement_timeout', '${LOOKUP_MS}', true)`;
      await tx.query({ name: "", text: settings }, []);
      return placesOf(tx, filter, words, below);
    });
  } catch (error) {
    if (sqlState(error) !== CANCELLED) throw error;
    return placesOf(db, filter, null, below);
  }
}

const CANCELLED = "57014";

async function placesOf(db: Db, filter: LogFilter, words: string | null, below: number | null): Promise<LogPlaces> {
  const parameters = new Parameters();
  const conditions = ["true"];
  if (words !== null) conditions.push(`words @@ ${parameters.add(words, "tsquery")}`);
  if (filter.after !== undefined) conditions.push(`last_at >= ${parameters.add(filter.after, "timestamptz")}`);
  if (filter.before !== undefined) conditions.push(`first_at < ${parameters.add(filter.before, "timestamptz")}`);
  if (below !== null) conditions.push(`block <= ${parameters.add(below, "bigint")} >> ${BLOCK_BITS}`);
  const text = `
    select coalesce((select next_block from handrail.log_fold), 0) as next, array(
        select distinct block from handrail.log_block where ${conditions.join(" and ")} order by block desc limit ${MOST_BLOCKS}
      ) as blocks,
      ${filter.blind && filter.terms.length > 0} and exists (select from handrail.workflow where cardinality(masked) > 0) as "leavesOut"`;
  // Unnamed: its shape follows the filter.
  const [row] = await db.query<{ next: number; blocks: string[]; leavesOut: boolean }>(
    { name: "", text },
    parameters.values,
  );
  const { next, blocks, leavesOut } = row as { next: number; blocks: string[]; leavesOut: boolean };
  const all: LogRange[] = [
    [next * LINES_PER_BLOCK, Number.MAX_SAFE_INTEGER],
    ...blocks.map(Number).map((block): LogRange => [block * LINES_PER_BLOCK, (block + 1) * LINES_PER_BLOCK]),
  ];
  return { ranges: rangesBelow(all, below), more: blocks.length === MOST_BLOCKS, leavesOut };
}

/** What is left of them below an id; null: all of them. */
export function rangesBelow(ranges: readonly LogRange[], below: number | null): LogRange[] {
  if (below === null) return [...ranges];
  return ranges.flatMap(([from, to]) => (from < below ? [[from, Math.min(to, below)] as const] : []));
}

/** For walks: along the index by id, however little is known of a table that has just grown. */
export const walking = <Result>(db: Db, walk: (tx: Db) => Promise<Result>): Promise<Result> =>
  db.transaction(async (tx) => {
    await tx.query({ name: "", text: "select set_config('enable_bitmapscan', 'off', true)" }, []);
    return walk(tx);
  });

interface WalkedLines {
  lines: FoundLineRow[];
  /** How many were read. */
  looked: number;
  /** The last one that was read, and when it was logged; null if there was none. */
  lowest: number | null;
  lowestAt: RowInstant | null;
  /** Nothing before it can match. */
  isPast: boolean;
}

type WalkedRow = Omit<WalkedLines, "lines"> & { [Field in keyof FoundLineRow]: FoundLineRow[Field] | null };

/** The lines among the newest `most` of these ranges that may match, newest first, as many as `limit`. */
export async function walkLines(
  db: Db,
  filter: LogFilter,
  ranges: readonly LogRange[],
  { most, limit }: { most: number; limit: number },
): Promise<WalkedLines> {
  const parameters = new Parameters();
  const text = walkText(filter, ranges, { most, limit }, parameters);
  const rows = await db.query<WalkedRow>({ name: "", text }, parameters.values);
  const { looked, lowest, lowestAt, isPast } = rows[0] as WalkedRow;
  const lines = rows.filter(({ id }) => id !== null) as unknown as FoundLineRow[];
  return { lines, looked, lowest, lowestAt, isPast };
}

export function walkText(
  filter: LogFilter,
  ranges: readonly LogRange[],
  { most, limit }: { most: number; limit: number },
  parameters: Parameters,
): string {
  const froms = parameters.add(
    ranges.map(([from]) => from),
    "bigint[]",
  );
  const belows = parameters.add(
    ranges.map(([, below]) => below),
    "bigint[]",
  );
  const { after } = filter;
  const past =
    after === undefined
      ? "false"
      : `at < ${parameters.add(new Date(Date.parse(after) - WRITTEN_WITHIN_MS).toISOString(), "timestamptz")}`;
  return `
    with walked as materialized (
      select log.* from unnest(${froms}, ${belows}) as range (first, below)
      cross join lateral (select * from handrail.log where id >= range.first and id < range.below order by id desc) as log
      limit ${parameters.add(most, "int")}
    ), matching as (
      select walked.*, run.workflow, ${namedRun("run")} as named from walked join handrail.run on run.id = walked.run_id
      where ${conditionsOf(filter, parameters).join(" and ")}
      order by walked.id desc limit ${parameters.add(limit, "int")}
    )
    select facts.*, id, run_id as "runId", workflow, named, at, level, during, step, attempt, message, data, trace_id as "traceId"
    from (
      select (select count(*)::int from walked) as looked, lowest.id as lowest, lowest.at as "lowestAt", coalesce(${past.replace(/^at/, "lowest.at")}, false) as "isPast"
      from (select) as one left join lateral (select id, at from walked order by id limit 1) as lowest on true
    ) as facts
    left join matching on true
    order by id desc`;
}

const SEARCHED = `(concat_ws(' ', walked.message, walked.data, walked.step, walked.trace_id) collate "C")`;

/** What the words of a line are is known to log-words.ts alone: here, lines without them are left out if that is cheap. */
function conditionsOf(
  { terms, level, workflow = [], step, after, before, blind }: LogFilter,
  parameters: Parameters,
): string[] {
  return [
    "true",
    ...(level === undefined ? [] : [`walked.level = any (${parameters.add(levelsFrom(level), "text[]")})`]),
    ...(step === undefined ? [] : [`walked.step = ${parameters.add(step, "text")}`]),
    ...(after === undefined ? [] : [`walked.at >= ${parameters.add(after, "timestamptz")}`]),
    ...(before === undefined ? [] : [`walked.at < ${parameters.add(before, "timestamptz")}`]),
    // Handrail's own runs are shown only to those who ask for them, as in the list of runs.
    workflow.length === 0
      ? "run.workflow not like 'handrail.%'"
      : `run.workflow = any (${parameters.add(workflow, "text[]")})`,
    ...probesOf(terms).map((probe) => `${SEARCHED} ~* ${parameters.add(probe, "text")}`),
    // What such lines say may contain masked values: not even that they match may be seen.
    ...(blind && terms.length > 0 ? [MASKS_NOTHING] : []),
  ];
}
