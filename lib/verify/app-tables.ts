import type { Pool, PoolClient } from "pg";
import { schemaName } from "../store/schema";

/** A body that goes on may hold a table for longer; then the database is given up. */
const PATIENCE_MS = 2_000;

const TABLES = `
  select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind in ('r', 'p') and not relispartition and nspname <> all ($1) and nspname not like 'pg\\_%' order by 1`;
const SEQUENCES = `
  select coalesce(string_agg(format('%I.%I %s', schemaname, sequencename, last_value), ',' order by 1), '') as state
  from pg_sequences where schemaname <> all ($1)
    and not exists (select from pg_depend where objid = format('%I.%I', schemaname, sequencename)::regclass and deptype in ('a', 'i'))`;

/**
 * The app's own tables in a database for trials: those that are empty before the first trial are emptied after each one, as
 * fast as a few statements. What else a trial changes makes its database useless for another.
 */
export class AppTables {
  private constructor(
    private readonly pool: Pool,
    private readonly empty: readonly string[],
    private readonly kept: readonly string[],
    private readonly state: string,
  ) {}

  /** Before the first trial. */
  static async of(pool: Pool): Promise<AppTables> {
    const { rows } = await pool.query<{ name: string }>(TABLES, [others()]);
    const empty: string[] = [];
    const kept: string[] = [];
    for (const { name } of rows) {
      const { rowCount } = await pool.query(`select from ${name} limit 1`);
      (rowCount === 0 ? empty : kept).push(name);
    }
    return new AppTables(pool, empty, kept, await stateOf(pool, kept));
  }

  /** @returns whether all of them are as they were before the first trial */
  async reset(): Promise<boolean> {
    const client = await this.pool.connect();
    try {
      await client.query(`begin; set local lock_timeout = ${PATIENCE_MS}`);
      if (this.empty.length > 0) await client.query(`truncate ${this.empty.join(", ")} restart identity cascade`);
      const same = (await stateOf(client, this.kept)) === this.state;
      await client.query("commit");
      return same;
    } catch {
      await client.query("rollback").catch(() => undefined);
      return false;
    } finally {
      client.release();
    }
  }
}

const others = () => ["information_schema", schemaName()];

/** What trials must leave alone: rows that were there, and sequences of no column. */
async function stateOf(db: Pool | PoolClient, kept: readonly string[]): Promise<string> {
  const parts = [(await db.query<{ state: string }>(SEQUENCES, [others()])).rows[0]?.state];
  for (const name of kept) {
    const text = `select md5(coalesce(string_agg(row::text, ',' order by row::text), '')) as state from ${name} as row`;
    parts.push((await db.query<{ state: string }>(text)).rows[0]?.state);
  }
  return parts.join("\n");
}
