import type { Pool, PoolClient } from "pg";
import { clientDb } from "../store/db";
import { waitForFold } from "../store/problems/problem-feed";
import { schemaName } from "../store/schema";

/** A body that goes on may hold a table for longer; then the database is given up. */
const PATIENCE_MS = 2_000;

/** Tables of the engine that a worker writes when it begins, and not its runs. No row of the audit log can be deleted. */
const NOT_OF_RUNS = ["worker", "workflow", "subscription", "queue_total", "schedule", "audit", "audit_chain"];

const TABLES = `
  select format('%I.%I', nspname, relname) as name, nspname = $1 as "isEngine", nspname = $1 and relname = any ($2) as "isKept"
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind in ('r', 'p') and not relispartition and nspname <> 'information_schema' and nspname not like 'pg\\_%' order by 1`;
const SEQUENCES = `
  select coalesce(string_agg(format('%I.%I %s', schemaname, sequencename, last_value), ',' order by 1), '') as state
  from pg_sequences where schemaname <> all ($1)
    and not exists (select from pg_depend where objid = format('%I.%I', schemaname, sequencename)::regclass and deptype in ('a', 'i'))`;

/**
 * The tables of a database for trials: those that are empty before the first trial are emptied after each one, as fast as a
 * few statements. What else a trial changes in the app's own makes its database useless for another.
 */
export class LaneTables {
  private constructor(
    private readonly pool: Pool,
    /** Of the engine: a few rows each, so that deleting them is faster than new files. */
    private readonly emptying: string,
    private readonly empty: readonly string[],
    private readonly kept: readonly string[],
    private readonly state: string,
  ) {}

  /** Before the first trial. */
  static async of(pool: Pool): Promise<LaneTables> {
    const given = [schemaName(), NOT_OF_RUNS];
    const { rows } = await pool.query<{ name: string; isEngine: boolean; isKept: boolean }>(TABLES, given);
    const isEmpty = await whichAreEmpty(pool, rows);
    const deletes = rows
      .filter(({ isEngine, isKept, name }) => isEngine && !isKept && isEmpty.has(name))
      .map(({ name }, index) => `table_${index} as (delete from ${name})`);
    const ofApp = rows.filter(({ isEngine }) => !isEngine).map(({ name }) => name);
    const kept = ofApp.filter((name) => !isEmpty.has(name));
    const empty = ofApp.filter((name) => isEmpty.has(name));
    return new LaneTables(pool, `with ${deletes.join(", ")} select`, empty, kept, await stateOf(pool, kept));
  }

  /**
   * While the worker is at rest.
   * @param ofApp whether the trial may have changed the app's tables
   * @returns whether all of them are as they were before the first trial
   */
  async reset(ofApp: boolean): Promise<boolean> {
    const client = await this.pool.connect();
    try {
      await client.query(`begin; set local lock_timeout = ${PATIENCE_MS}`);
      // One in progress would write of runs that are gone, after the statement that deletes what it writes.
      await waitForFold(clientDb(client));
      // With a name, PostgreSQL plans it once per connection.
      await client.query({ name: "handrail_verify_reset", text: this.emptying });
      const same = !ofApp || (await this.resetApp(client));
      await client.query("commit");
      return same;
    } catch {
      await client.query("rollback").catch(() => undefined);
      return false;
    } finally {
      client.release();
    }
  }

  private async resetApp(client: PoolClient): Promise<boolean> {
    if (this.empty.length > 0) await client.query(`truncate ${this.empty.join(", ")} restart identity cascade`);
    return (await stateOf(client, this.kept)) === this.state;
  }
}

async function whichAreEmpty(pool: Pool, tables: readonly { name: string }[]): Promise<Set<string>> {
  const looks = tables.map(
    ({ name }) => `select '${name.replaceAll("'", "''")}' as name where not exists (select from ${name})`,
  );
  const { rows } = await pool.query<{ name: string }>(looks.join(" union all "));
  return new Set(rows.map(({ name }) => name));
}

/** What trials must leave alone: rows that were there, and sequences of no column. */
async function stateOf(db: Pool | PoolClient, kept: readonly string[]): Promise<string> {
  const others = ["information_schema", schemaName()];
  const parts = [(await db.query<{ state: string }>(SEQUENCES, [others])).rows[0]?.state];
  for (const name of kept) {
    const text = `select md5(coalesce(string_agg(row::text, ',' order by row::text), '')) as state from ${name} as row`;
    parts.push((await db.query<{ state: string }>(text)).rows[0]?.state);
  }
  return parts.join("\n");
}
