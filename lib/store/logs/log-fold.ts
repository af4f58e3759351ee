import { settledBy, writersOf } from "../database/settle";
import type { Db, Statement } from "../db";
import { runOf } from "../runs-by-id";
import { BLOCK_BITS, type IndexedLine } from "./log-words";

/** A block is full, or has lost lines. */
export const FOLD_DUE = `(exists (select from handrail.log_gone)
      or exists (select from handrail.log_fold where next_block < (select (max(id) + 1) >> ${BLOCK_BITS} from handrail.log)))`;

const dueStatement: Statement = { name: "log-fold-due", text: `select ${FOLD_DUE} as due` };

/** Whether there is something to fold. */
export async function isFoldDue(db: Db): Promise<boolean> {
  const [row] = await db.query<{ due: boolean }>(dueStatement, []);
  return row?.due ?? false;
}

interface FoldProgress {
  nextBlock: number;
  settledId: number;
  markId: number | null;
  markHeld: string[];
}

const lockStatement: Statement = {
  name: "lock-log-fold",
  text: `
    select next_block as "nextBlock", settled_id as "settledId", mark_id as "markId", mark_held as "markHeld"
    from handrail.log_fold for update skip locked`,
};

const writersStatement: Statement = {
  name: "writers-of-logs",
  text: `select coalesce((select max(id) from handrail.log), 0) as newest, ${writersOf("log")} as held`,
};

/** Locks the fold and advances its settled id. Undefined: another process folds. Never waits. */
export async function lockLogFold(tx: Db): Promise<FoldProgress | undefined> {
  const [known] = await tx.query<FoldProgress>(lockStatement, []);
  if (!known) return undefined;
  const [now] = await tx.query<{ newest: number; held: string[] }>(writersStatement, []);
  const { newest, held } = now as { newest: number; held: string[] };
  const before = { settled: known.settledId, mark: known.markId, held: known.markHeld };
  const after = settledBy(before, Math.max(newest, known.settledId), held);
  return { ...known, settledId: after.settled, markId: after.mark, markHeld: after.held };
}

const keepStatement: Statement = {
  name: "keep-log-fold",
  text: "update handrail.log_fold set next_block = $1, settled_id = $2, mark_id = $3, mark_held = $4::text[]",
};

export async function keepLogFold(tx: Db, { nextBlock, settledId, markId, markHeld }: FoldProgress): Promise<void> {
  await tx.query(keepStatement, [nextBlock, settledId, markId, markHeld]);
}

const goneStatement: Statement = {
  name: "take-gone-lines",
  text: `
    with taken as (
      delete from handrail.log_gone where block in (
        select distinct block from (select block from handrail.log_gone limit 10000) as noted limit $1::int)
      returning block
    ), cleared as (
      delete from handrail.log_block where block in (select block from taken) returning block
    )
    select (select count(*)::int from taken) as taken, array(select distinct block from cleared) as blocks`,
};

/**
 * Takes the notes of up to `limit` blocks that have lost lines, and removes those that are written: they must be written
 * again in this transaction.
 */
export async function takeGoneBlocks(tx: Db, limit: number): Promise<{ taken: number; blocks: number[] }> {
  const [row] = await tx.query<{ taken: number; blocks: string[] }>(goneStatement, [limit]);
  return { taken: row?.taken ?? 0, blocks: (row?.blocks ?? []).map(Number) };
}

const nextStatement: Statement = {
  name: "next-log-blocks",
  text: `
    with recursive next (block, found) as (
      (select id >> ${BLOCK_BITS}, 1 from handrail.log where id >= $1::bigint << ${BLOCK_BITS} order by id limit 1)
      union all
      select following.block, next.found + 1 from next cross join lateral (
        select id >> ${BLOCK_BITS} as block from handrail.log where id >= (next.block + 1) << ${BLOCK_BITS} order by id limit 1
      ) as following
      where next.found < $3::int
    )
    select block from next where block < $2::bigint order by block`,
};

/** The next blocks that have lines, from `from` to before `to`. */
export async function nextLogBlocks(tx: Db, from: number, to: number, limit: number): Promise<number[]> {
  return (await tx.query<{ block: number }>(nextStatement, [from, to, limit])).map(({ block }) => block);
}

const linesStatement: Statement = {
  name: "lines-of-log-block",
  text: `
    select log.at, log.level, log.step, log.message, log.data, log.trace_id as "traceId", run.workflow,
      coalesce(run.workflow in (select name from handrail.workflow where cardinality(masked) > 0), true) as masks
    from handrail.log left join ${runOf("log.run_id", "workflow")} as run on true
    where log.id >= $1::bigint << ${BLOCK_BITS} and log.id < ($1::bigint + 1) << ${BLOCK_BITS}
    order by log.id`,
};

export type BlockLine = IndexedLine & { at: Date };

export const linesOfBlock = (tx: Db, block: number) => tx.query<BlockLine>(linesStatement, [block]);

const writeStatement: Statement = {
  name: "write-log-block",
  text: `
    insert into handrail.log_block (block, part, first_at, last_at, words)
    values ($1, $2, $3, $4, array_to_tsvector($5::text[]))`,
};

export interface BlockPart {
  firstAt: Date;
  lastAt: Date;
  entries: readonly string[];
}

export async function writeLogBlock(tx: Db, block: number, part: number, written: BlockPart): Promise<void> {
  const { firstAt, lastAt, entries } = written;
  // To whole milliseconds, as a Date is: outwards.
  const until = new Date(lastAt.getTime() + 1);
  await tx.query(writeStatement, [block, part, firstAt, until, entries]);
}
