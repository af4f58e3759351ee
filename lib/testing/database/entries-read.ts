import type { Db } from "../../store/db";
import type { TestDatabase } from "./database";

/** What statements have read of these tables: rows of walks through them, and entries of their indexes. Sessions report it when they end. */
export async function entriesRead({ pool }: TestDatabase, ...tables: string[]): Promise<number> {
  const { rows } = await pool.query(
    `select (select sum(seq_tup_read) from pg_stat_user_tables where schemaname = 'handrail' and relname = any ($1))
      + (select sum(idx_tup_read) from pg_stat_user_indexes where schemaname = 'handrail' and relname = any ($1)) as read`,
    [tables],
  );
  return Number(rows[0].read);
}

/** The same, of what `work` does in this transaction. */
export async function entriesReadBy(tx: Db, tables: readonly string[], work: () => Promise<unknown>): Promise<number> {
  const before = await unreported(tx, tables);
  await work();
  return (await unreported(tx, tables)) - before;
}

/** What the session has not reported yet, since when it may have begun before the transaction. */
async function unreported(tx: Db, tables: readonly string[]): Promise<number> {
  const text = `with these as (select oid from pg_class where relnamespace = 'handrail'::regnamespace and relname = any ($1))
    select sum(pg_stat_get_xact_tuples_returned(oid))::int as read from (
      select oid from these union all select indexrelid from pg_index where indrelid in (select oid from these)) as either`;
  const [row] = await tx.query<{ read: number }>({ name: "entries-read", text }, [tables]);
  return row?.read ?? Number.NaN;
}
