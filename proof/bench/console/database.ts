import path from "node:path";
import pg from "pg";
import { poolDb } from "../../../lib/store/db";
import { migrate } from "../../../lib/store/migrations/migrate";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../scripts/postgres/embedded";
import { fill } from "./fill";

/** Data here need not survive a crash: it can be generated again. */
export const WHILE_FILLING = {
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "8GB",
  checkpoint_timeout: "30min",
  shared_buffers: "2GB",
  maintenance_work_mem: "512MB",
  autovacuum: "off",
};

export const SIZES = { "100k": 100_000, "1m": 1_000_000, "2500k": 2_500_000, "10m": 10_000_000 } as const;
export type Size = keyof typeof SIZES;

const FILLED = "filled";

/** Creates the database of that size if it is missing or incomplete. Prints its progress. */
export async function makeDatabase(dir: string, size: Size): Promise<void> {
  const server = await startEmbeddedPostgres({ dir: path.join(dir, "postgres"), settings: WHILE_FILLING });
  try {
    if (await isFilled(server, size)) return;
    await onServer(server, async (client) => {
      await client.query(`drop database if exists console_${size} with (force)`);
    });
    const url = server.url(`console_${size}`);
    await migrate(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    const since = performance.now();
    const seconds = () => Math.round((performance.now() - since) / 1_000);
    const runs = SIZES[size];
    await fill(client, poolDb(pool), {
      runs,
      say: (done) => process.stdout.write(`  ${size}: ${done.toLocaleString("en")} runs after ${seconds()} s\n`),
    });
    await client.query(`comment on database console_${size} is '${FILLED}'`);
    const { rows } = await client.query("select pg_size_pretty(pg_database_size(current_database())) as size");
    process.stdout.write(`  ${size}: filled in ${seconds()} s, ${rows[0].size}\n`);
    await client.end();
    await pool.end();
  } finally {
    await server.stop();
  }
}

async function isFilled(server: EmbeddedPostgres, size: Size): Promise<boolean> {
  return onServer(server, async (client) => {
    const { rows } = await client.query(
      "select shobj_description(oid, 'pg_database') as said from pg_database where datname = $1",
      [`console_${size}`],
    );
    return rows[0]?.said === FILLED;
  });
}

async function onServer<Answer>(server: EmbeddedPostgres, work: (client: pg.Client) => Promise<Answer>) {
  const client = new pg.Client({ connectionString: server.url("postgres") });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
