import type { Pool, PoolClient } from "pg";
import { backoffMs, sleep } from "../store/database/backoff";
import { sqlState } from "../store/db";
import { inSchema } from "../store/schema";

/**
 * A worker's heartbeats are those of a real process, rollups count by the real clock, and no row of the audit log can be
 * changed: their time does not move.
 */
const REAL_TIME = ["worker", "run_rollup", "step_rollup", "rollup_fold", "problem_count", "run_end", "audit"];

/**
 * It takes rows of many tables, and others take them in another order. PostgreSQL looks for deadlocks after a second, and may
 * end either: so this one gives up before that, and the worker never loses a transaction to it.
 */
const LOCK_TIMEOUT_MS = 300;
const GAVE_UP: ReadonlySet<string | undefined> = new Set(["55P03", "40P01"]);
/** Far longer than a busy machine needs: a minute at least. */
const MOST_TRIES = 200;

/** Far from all others. */
const APART = "interval '4000 years'";

interface TableOfInstants {
  table: string;
  /** An instant is part of what is unique: while some rows have moved, no two may meet. */
  isUnique: boolean;
  columns: { name: string; many: boolean }[];
}

/**
 * Lets `ms` milliseconds pass for the engine. Its clock is the database's, which cannot be set; so every instant in the
 * engine's tables moves back by as much, which is equivalent. The app's own tables stay as they are.
 */
export async function letTimePass(pool: Pool, ms: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await moveBack(pool, ms);
    } catch (error) {
      if (!GAVE_UP.has(sqlState(error)) || tries === MOST_TRIES) throw error;
      await sleep(backoffMs(tries) / 10);
    }
  }
}

async function moveBack(pool: Pool, ms: number): Promise<void> {
  const client = await pool.connect();
  let clean = false;
  try {
    await prepare(client, pool);
    await client.query("select pg_temp.handrail_time_passes($1)", [ms]);
    clean = true;
  } finally {
    client.release(!clean);
  }
}

/** Connections that have the function. */
const prepared = new WeakSet<PoolClient>();

/** A function of the connection: a test lets time pass hundreds of times, and PostgreSQL plans its statements once. */
async function prepare(client: PoolClient, pool: Pool): Promise<void> {
  if (prepared.has(client)) return;
  await client.query(await functionOf(pool));
  prepared.add(client);
}

/** By database: the tables are those of its migrations. */
const known = new WeakMap<Pool, Promise<string>>();

function functionOf(pool: Pool): Promise<string> {
  const text = known.get(pool) ?? makeFunction(pool);
  known.set(pool, text);
  text.catch(() => known.delete(pool));
  return text;
}

const PASSING = "passing_ms * interval '1 ms'";

async function makeFunction(pool: Pool): Promise<string> {
  const { rows } = await pool.query<TableOfInstants>(
    inSchema(`select table_name as table, json_agg(json_build_object('name', column_name, 'many', data_type = 'ARRAY')) as columns,
       exists (select from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
         where indisunique and indrelid = format('handrail.%I', table_name)::regclass and atttypid = 'timestamptz'::regtype) as "isUnique"
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'handrail' and table_type = 'BASE TABLE' and (data_type = 'timestamp with time zone' or udt_name = '_timestamptz')
       and is_generated = 'NEVER' and table_name <> all ($1::text[])
     group by table_name order by table_name`),
    [REAL_TIME],
  );
  const updates = rows.flatMap(({ table, columns, isUnique }) => {
    const update = (by: string) =>
      `update handrail."${table}" set ${columns.map((column) => movedBy(column, by)).join(", ")};`;
    return isUnique ? [update(`- ${PASSING} - ${APART}`), update(`+ ${APART}`)] : [update(`- ${PASSING}`)];
  });
  return inSchema(`create function pg_temp.handrail_time_passes(passing_ms float8) returns void language plpgsql
    set lock_timeout = ${LOCK_TIMEOUT_MS} as $time$
    begin ${updates.join(" ")} end $time$`);
}

const movedBy = ({ name, many }: TableOfInstants["columns"][number], by: string) =>
  many
    ? `"${name}" = array(select at ${by} from unnest("${name}") with ordinality as one (at, no) order by no)`
    : `"${name}" = "${name}" ${by}`;
