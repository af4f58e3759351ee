import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createPool } from "../../store/database/pools";
import { type Db, poolDb } from "../../store/db";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { oneIn } from "../../testing/sample";
import { until } from "../../testing/until";
import { foldRollups, MAX_STEP_NAMES } from "../../worker/duties/fold-rollups";
import { registryOf } from "./exposition";
import { MAX_STEPS, MAX_WORKFLOWS, readMetrics } from "./read-metrics";

/** As docs/signals/metrics.md states it. */
const MOST_SERIES = 25_000;
/** The console waits no longer for what the database knows. */
const LONGEST_SCRAPE_MS = 4_000;
const HISTORY_MS = 60_000;

/** A tenth of them in `npm test`. */
const LARGE_RUNS = oneIn(
  10,
  Array.from({ length: 100 }, (_, n) => n),
).length;
const MAKERS = LARGE_RUNS / 2;
const STEPS = 10_000;

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  // As the console's.
  const limits = { statementTimeoutMs: 5_000, idleInTransactionMs: 5_000 };
  pool = createPool({ ...limits, databaseUrl: database.url, name: "scrape", max: 10, boundedReads: true });
  db = poolDb(pool);
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function scrape(patienceMs = HISTORY_MS) {
  const began = performance.now();
  const text = await registryOf(await readMetrics(db, null, patienceMs)).metrics();
  const ms = performance.now() - began;
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const all = new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
  return { all, text, ms };
}

describe("10,000 workflows, 50 of which make names of 1,000,000 steps from data", () => {
  /** Letters alone: a name that counts or holds an id is one already. */
  const LETTERS = (n: string) => `translate(md5((${n})::text), '0123456789abcdef', 'ghijklmnopqrstuv')`;
  const RUN = `handrail.run (id, workflow, version, status, input, created_at, started_at, finished_at)`;
  const STEP = `handrail.step (run_id, name, generation, kind, effect, status, position, finished_position, attempt, max_attempts,
    key_generation, output, started_at, finished_at)`;
  const STEP_OF = (run: string, name: string, position: string) =>
    `${run}.id, ${name}, 1, 'step', 'pure', 'completed', ${position}, ${position}, 1, 3, 1, 'null', ${run}.started_at, ${run}.finished_at`;
  const ENDED = (ago: string) =>
    `clock_timestamp() - interval '${ago}', clock_timestamp() - interval '${ago}', clock_timestamp() - interval '${ago}'`;

  beforeAll(async () => {
    await database.pool.query(
      "insert into handrail.workflow (name, version, title) select 'w-' || n, 1, 'W' from generate_series(1, 10000) as n",
    );
    // A hundred runs of 10,000 steps, no two of which have a name in common; then one run of each other workflow.
    await database.pool.query(
      `with run as (insert into ${RUN}
         select handrail.new_id(), 'w-' || ((n - 1) % ${MAKERS} + 1), 1, 'completed', '{}', ${ENDED("2 minutes")} from generate_series(1, ${LARGE_RUNS}) as n returning *)
       insert into ${STEP} select ${STEP_OF("run", LETTERS("row_number() over ()"), "place")} from run, generate_series(1, ${STEPS}) as place`,
    );
    await database.pool.query(
      `with run as (insert into ${RUN}
         select handrail.new_id(), 'w-' || n, 1, 'completed', '{}', ${ENDED("1 minute")} from generate_series(${MAKERS + 1}, 10000) as n returning *)
       insert into ${STEP} select ${STEP_OF("run", "'only'", "1")} from run`,
    );
    // First the large ones, in small folds, as a worker comes to do when they are slow.
    for (let folds = 0; folds < LARGE_RUNS / 10; folds++) await foldRollups(poolDb(database.pool), 10);
    while (await foldRollups(poolDb(database.pool)));
  }, 600_000);

  it("is what the rows hold", async () => {
    const { rows } = await database.pool.query(
      `select (select count(distinct name)::int from handrail.step) as steps, (select count(distinct workflow)::int from handrail.run_rollup) as workflows,
        (select count(*)::int from handrail.rollup_step where step <> '') as names, (select sum(executions)::int from handrail.step_rollup where minutes = 360) as executions`,
    );
    const small = 10_000 - MAKERS;
    const made = LARGE_RUNS * STEPS;
    const names = MAKERS * MAX_STEP_NAMES + small;
    expect(rows).toEqual([{ steps: made + 1, workflows: 10_000, names, executions: made + small }]);
  });

  it("has no more series than the docs state, and no scrape takes longer than the console waits", async () => {
    await scrape();
    const { all, ms } = await scrape();
    const labels = (pattern: RegExp) => new Set([...all.keys()].flatMap((name) => name.match(pattern) ?? []));
    expect(labels(/workflow="[^"]*"/).size).toBe(MAX_WORKFLOWS);
    expect(labels(/workflow="[^"]*",step="[^"]*"/).size).toBe(MAX_STEPS);
    expect(all.size).toBeLessThan(MOST_SERIES);
    expect(ms).toBeLessThan(LONGEST_SCRAPE_MS);
  });
});

describe("a month of counts of 300 workflows and 500 steps", () => {
  const MONTH = "date_trunc('month', clock_timestamp() at time zone 'UTC') at time zone 'UTC'";
  const SIX_HOURS = `generate_series(${MONTH}, clock_timestamp(), interval '6 hours') as at`;
  const SPREAD = (from: number, to: number) =>
    `array(select generate_series(${from}, ${to})::smallint), array_fill(25, array[${to - from + 1}])`;
  const started = (all: Map<string, number>) => all.get('handrail_runs_started_total{workflow="w-7"}') as number;

  beforeAll(async () => {
    await database.pool.query("truncate handrail.run_rollup, handrail.step_rollup, handrail.rollup_step");
    await database.pool.query(
      `insert into handrail.run_rollup (minutes, at, workflow, version, started, completed, failed, took_buckets, took_counts, queued_buckets, queued_counts)
       select 360, at, 'w-' || n, v, 1000, 990, 10, ${SPREAD(20, 59)}, ${SPREAD(5, 34)}
       from generate_series(1, 300) as n, generate_series(1, 2) as v, ${SIX_HOURS}`,
    );
    await database.pool.query(
      `with name as (insert into handrail.rollup_step select 'w-' || n, 'step-' || s from generate_series(1, 25) as n, generate_series(1, 20) as s returning *)
       insert into handrail.step_rollup (minutes, at, workflow, version, step, executions, failures, retries, took_buckets, took_counts)
       select 360, at, workflow, v, step, 1000, 10, 10, ${SPREAD(20, 59)} from name, generate_series(1, 2) as v, ${SIX_HOURS}`,
    );
    await database.pool.query("analyze handrail.run_rollup, handrail.step_rollup, handrail.rollup_step");
    // This process knows the counts of before.
    db = poolDb(pool);
  }, 120_000);

  it("is exact, and read in full once", async () => {
    const { rows } = await database.pool.query(
      "select sum(started)::int as started, sum(array_length(took_counts, 1) * 25)::int as took from handrail.run_rollup where workflow = 'w-7'",
    );
    const [of] = rows;
    for (const { all, ms } of [await scrape(), await scrape()]) {
      expect(started(all)).toBe(of.started);
      expect(all.get('handrail_run_duration_seconds_count{workflow="w-7"}')).toBe(of.took);
      expect(all.get('handrail_step_executions_total{workflow="w-7",step="step-3"}')).toBe(of.started);
      expect(all.size).toBeLessThan(MOST_SERIES);
      if (process.env.SHOW_TIMES) process.stdout.write(`a scrape of a month: ${Math.round(ms)} ms\n`);
    }
  });

  it("is read while the scrape goes on without it, where it takes too long", async () => {
    db = poolDb(pool);
    const { all, ms } = await scrape(1);
    expect(started(all)).toBeUndefined();
    expect(all.has('handrail_backlog_runs{workflow="w-7",state="ready"}')).toBe(true);
    expect(ms).toBeLessThan(LONGEST_SCRAPE_MS);
    await until("the counts", async () => started((await scrape(1_000)).all) !== undefined);
  });

  it("never falls, and has what is counted late into an earlier period after a quarter of an hour", async () => {
    const before = started((await scrape()).all);
    for (const [at, runs] of [
      ["clock_timestamp()", 5],
      [MONTH, 7],
    ])
      await database.pool.query(
        `update handrail.run_rollup set started = started + ${runs} where workflow = 'w-7' and version = 1
           and at = (select max(at) from handrail.run_rollup where at <= ${at})`,
      );
    const soon = started((await scrape()).all);
    expect(soon).toBeGreaterThanOrEqual(before + 5);
    const later = performance.now() + 16 * 60_000;
    vi.spyOn(performance, "now").mockReturnValue(later);
    let last = soon;
    for (;;) {
      const now = started(await registryOfNow());
      expect(now).toBeGreaterThanOrEqual(last);
      last = now;
      if (now === before + 12) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  const registryOfNow = async () => (await scrape()).all;
});
