import type { Pool } from "pg";
import { inSchema } from "../store/schema";

/** A worker's heartbeats are those of a real process, and rollups count by the real clock: their time does not move. */
const REAL_TIME = ["worker", "run_rollup", "step_rollup", "rollup_fold", "run_end"];

interface TableOfInstants {
  table: string;
  columns: string[];
}

/**
 * Lets `ms` milliseconds pass for the engine. Its clock is the database's, which cannot be set; so every instant in the
 * engine's tables moves back by as much, which is equivalent. The app's own tables stay as they are.
 */
export async function letTimePass(pool: Pool, ms: number): Promise<void> {
  const client = await pool.connect();
  let clean = false;
  try {
    await client.query("begin");
    const { rows } = await client.query<TableOfInstants>(
      inSchema(`select table_name as table, array_agg(column_name::text) as columns
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = 'handrail' and table_type = 'BASE TABLE' and data_type = 'timestamp with time zone'
         and is_generated = 'NEVER' and table_name <> all ($1::text[])
       group by table_name order by table_name`),
      [REAL_TIME],
    );
    for (const { table, columns } of rows) {
      const moved = columns.map((column) => `"${column}" = "${column}" - $1::float8 * interval '1 ms'`);
      await client.query(inSchema(`update handrail."${table}" set ${moved.join(", ")}`), [ms]);
    }
    await client.query("commit");
    clean = true;
  } finally {
    client.release(!clean);
  }
}

/** Until the first timer of any run, in milliseconds; undefined when there is none. */
export async function firstTimerInMs(pool: Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ ms: number | null }>(
    inSchema(
      "select (extract(epoch from min(due_at) - clock_timestamp()) * 1000)::float8 as ms from handrail.run where due_at is not null",
    ),
  );
  return rows[0]?.ms ?? undefined;
}
