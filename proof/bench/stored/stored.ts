import { tmpdir } from "node:os";
import path from "node:path";
import { migrate } from "../../../lib/store/migrations/migrate";
import type { Settings } from "../../../scripts/postgres/cluster";
import { removeEmbeddedPostgres, startEmbeddedPostgres } from "../../../scripts/postgres/embedded";
import { type Bench, openBench } from "../bench";
import { WHILE_FILLING } from "../console/database";
import type { Figure } from "../figure";
import { dropDays } from "./drop-days";
import { figuresOf } from "./figures";
import { DAY_MS, DAYS, type Filling, fillStored, partitionSteps, STEPS_OF_A_RUN, STORED } from "./fill";
import { measureDaily } from "./measure-daily";
import { measureDeleting, withoutSteps } from "./measure-deleting";

/** Where the databases are made, one after the other: 50 million steps take some 15 GB. */
const DIR = process.env.BENCH_STORED_DIR ?? path.join(tmpdir(), "handrail-bench-stored");
const STEPS = Number(process.env.BENCH_STORED_STEPS ?? 50_000_000);
const A_FEW = 100;
const TABLES = ["handrail.run", "handrail.step"];

/** 50 million stored steps beside a hundredth of them, and retention that deletes rows beside one that drops partitions of steps. */
export async function stored(): Promise<Figure[]> {
  const runs = Math.round(STEPS / STEPS_OF_A_RUN);
  const few = await onDatabase({ runs: Math.round(runs / A_FEW) }, (bench, filling) => measureDaily(bench, filling));
  const rows = await onDatabase({ runs }, async (bench, filling) => {
    const bytesPerRun = (await storedBytes(bench)) / runs;
    const daily = await measureDaily(bench, filling);
    const deleting = await measureDeleting(bench, filling, bench.db);
    return { ...daily, ...deleting, bytesPerRun, growth: (await bytesOfNewRun(bench, filling)) / bytesPerRun };
  });
  const parts = await onDatabase({ runs, partitioned: true }, async (bench, filling) => {
    const daily = await measureDaily(bench, filling);
    const deleting = await measureDeleting(bench, filling, withoutSteps(bench.db));
    return { ...daily, ...deleting, ...(await dropDays(bench)) };
  });
  return figuresOf(few, rows, parts);
}

interface Variant {
  runs: number;
  partitioned?: boolean;
}

async function onDatabase<Answer>(
  { runs, partitioned = false }: Variant,
  work: (bench: Bench, filling: Filling) => Promise<Answer>,
): Promise<Answer> {
  // A day behind the present: what is written meanwhile is another day's.
  const filling: Filling = { runs, sinceMs: Date.now() - (DAYS + 1) * DAY_MS };
  await onServer(WHILE_FILLING, (bench) => makeDatabase(bench, filling, partitioned));
  // As Postgres comes: 128 MB of shared buffers, autovacuum, durable commits.
  const answer = await onServer({ shared_preload_libraries: "pg_stat_statements" }, async (bench) => {
    await bench.pool.query("create extension if not exists pg_stat_statements");
    return work(bench, filling);
  });
  await removeEmbeddedPostgres(DIR);
  return answer;
}

async function onServer<Answer>(settings: Settings, work: (bench: Bench) => Promise<Answer>): Promise<Answer> {
  const server = await startEmbeddedPostgres({ dir: DIR, settings });
  await migrate(server.url("stored"));
  const bench = openBench(server.url("stored"));
  try {
    return await work(bench);
  } finally {
    await bench.pool.end();
    await server.stop();
  }
}

async function makeDatabase({ pool }: Bench, filling: Filling, partitioned: boolean): Promise<void> {
  const since = performance.now();
  await pool.query("insert into handrail.workflow (name, version, title) values ($1, 1, 'Stored')", [STORED]);
  if (partitioned) await partitionSteps(pool, filling.sinceMs);
  await fillStored(pool, filling);
  const client = await pool.connect();
  await client.query("set statement_timeout = 0");
  for (const table of TABLES) await client.query(`vacuum (analyze) ${table}`);
  client.release(true);
  const seconds = Math.round((performance.now() - since) / 1_000);
  process.stdout.write(`  stored: ${filling.runs.toLocaleString("en")} runs of three steps after ${seconds} s\n`);
}

/** With their indexes. */
async function storedBytes({ pool }: Bench): Promise<number> {
  const { rows } = await pool.query(
    "select sum(pg_total_relation_size(name::regclass))::float8 as bytes from unnest($1::text[]) as stored (name)",
    [TABLES],
  );
  return rows[0].bytes;
}

/** What the files grow by for each new run, once as many are deleted and vacuumed. */
async function bytesOfNewRun(bench: Bench, { runs, sinceMs }: Filling): Promise<number> {
  // Twice, as autovacuum comes again and again: an index's page that one has emptied is free from the next one on.
  for (const table of [...TABLES, ...TABLES]) await bench.pool.query(`vacuum ${table}`);
  const before = await storedBytes(bench);
  const added = Math.round(runs / DAYS / 2);
  await fillStored(bench.pool, { runs, sinceMs }, runs, runs + added);
  return ((await storedBytes(bench)) - before) / added;
}
