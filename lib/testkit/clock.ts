import type { Pool } from "pg";
import { inSchema } from "../store/schema";

/**
 * A worker's heartbeats are those of a real process, rollups count by the real clock, and no row of the audit log can be
 * changed: their time does not move.
 */
const REAL_TIME = ["worker", "run_rollup", "step_rollup", "rollup_fold", "run_end", "audit"];

interface TableOfInstants {
  table: string;
  columns: { name: string; many: boolean }[];
}

/**
 * Lets `ms` milliseconds pass for the engine. Its clock is the database's, which cannot be set; so every instant in the
 * engine's tables moves back by as much, which is equivalent. The app's own tables stay as they are.
 */
export async function letTimePass(pool: Pool, ms: number): Promise<void> {
  const updates = await updatesOf(pool);
  const client = await pool.connect();
  let clean = false;
  try {
    await client.query("select set_config('testkit.passing_ms', $1, false)", [`${ms}`]);
    // One message for all tables: a test lets time pass hundreds of times.
    await client.query(updates);
    clean = true;
  } finally {
    client.release(!clean);
  }
}

/** By database: the tables are those of its migrations. */
const known = new WeakMap<Pool, Promise<string>>();

function updatesOf(pool: Pool): Promise<string> {
  const updates = known.get(pool) ?? makeUpdates(pool);
  known.set(pool, updates);
  updates.catch(() => known.delete(pool));
  return updates;
}

const PASSING = "current_setting('testkit.passing_ms')::float8 * interval '1 ms'";

/** Statements of one transaction. */
async function makeUpdates(pool: Pool): Promise<string> {
  const { rows } = await pool.query<TableOfInstants>(
    inSchema(`select table_name as table, json_agg(json_build_object('name', column_name, 'many', data_type = 'ARRAY')) as columns
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'handrail' and table_type = 'BASE TABLE' and (data_type = 'timestamp with time zone' or udt_name = '_timestamptz')
       and is_generated = 'NEVER' and table_name <> all ($1::text[])
     group by table_name order by table_name`),
    [REAL_TIME],
  );
  const updates = rows.map(({ table, columns }) => {
    const moved = columns.map(({ name, many }) =>
      many
        ? `"${name}" = array(select at - ${PASSING} from unnest("${name}") with ordinality as one (at, no) order by no)`
        : `"${name}" = "${name}" - ${PASSING}`,
    );
    return `update handrail."${table}" set ${moved.join(", ")};`;
  });
  return inSchema(`begin; ${updates.join(" ")} commit;`);
}

/** Until the first timer of any run, or the opening of a queue, in milliseconds; undefined when there is none. */
export async function firstTimerInMs(pool: Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ ms: number | null }>(
    inSchema(`select (extract(epoch from min(at) - clock_timestamp()) * 1000)::float8 as ms from (
       select due_at as at from handrail.run where due_at is not null
       union all select opens_at from handrail.queue_lane where opens_at > clock_timestamp()
       union all select starts_at from handrail.queue_total where starts_at > clock_timestamp()
         and exists (select from handrail.queue_lane as lane where lane.workflow = queue_total.workflow)
     ) as timer`),
  );
  return rows[0]?.ms ?? undefined;
}
