import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { type Db, poolDb } from "../../store/db";
import { beat, readNews } from "../../store/workers/beat";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { until } from "../../testing/until";
import { start, startWorker } from "../../testing/workers/a-worker";
import { openWorkerPools } from "../loop/worker-pools";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
});
afterAll(() => database.drop());

const input = z.object({});
const STORED = 5_000;
const LEASE_MS = 20_000;

let ends = 0;
const child = defineWorkflow({ name: "grown-child", input }, (ctx) => ctx.step("end", () => ++ends));
const limited = defineWorkflow({ name: "grown-limited", input, concurrency: { limit: 2 } }, (ctx) =>
  ctx.step("end", () => ++ends),
);
/** Sends what a worker sends, but for what an outage brings. */
const parent = defineWorkflow({ name: "grown-parent", input }, async (ctx) => {
  await ctx.step("plain", () => 1);
  await ctx.step("once", () => 2, { effect: "once", compensate: () => undefined });
  const failsOnce = ({ attempt }: { attempt: number }) => {
    if (attempt === 1) throw new Error("The first attempt fails.");
  };
  await ctx.step("again", failsOnce, { retry: { initialDelayMs: 1 } });
  await ctx.sleep("rest", 5);
  await Promise.all([1, 2, 3].map((n) => ctx.child(`child-${n}`, child, {})));
  ctx.log("done");
  await ctx.step("end", () => ++ends);
});

async function runAll(times: number): Promise<void> {
  ends = 0;
  for (let n = 0; n < times; n++) for (const workflow of [parent, limited, child]) await start(db, workflow);
  // Counted here: asking for them would read rows, too.
  await until("The runs' ends", () => ends === times * 6);
}

/** Rows that statements have looked at in the two tables, by walks through them and by their keys. */
async function rowsRead(): Promise<number> {
  const { rows } = await database.pool.query(
    `select (select sum(seq_tup_read) from pg_stat_user_tables where schemaname = 'handrail' and relname in ('run', 'step'))
      + (select sum(idx_tup_read) from pg_stat_user_indexes where indexrelname in ('run_pkey', 'step_pkey')) as read`,
  );
  return Number(rows[0].read);
}

/** PostgreSQL keeps a worker's plans until something about the tables changes: until it has counted them anew, they may grow for minutes. */
it("what a worker sends reads no table whole that has grown since it was planned", async () => {
  for (const table of ["run", "step"])
    await database.pool.query(`alter table handrail.${table} set (autovacuum_enabled = off)`);
  const worker = await startWorker(database, [parent, child, limited]);
  await runAll(8);
  await database.pool.query(
    `with copied as (
       insert into handrail.run select copy.*
       from (select * from handrail.run where workflow = 'grown-child' and parent_run_id is null limit 1) as run, generate_series(1, $1) as n,
         jsonb_populate_record(null::handrail.run, to_jsonb(run) || jsonb_build_object('id', md5(n::text))) as copy
       returning id
     ) insert into handrail.step select copy.*
     from copied, (select * from handrail.step where kind = 'step' limit 1) as step,
       jsonb_populate_record(null::handrail.step, to_jsonb(step) || jsonb_build_object('run_id', copied.id)) as copy`,
    [STORED],
  );
  const before = await rowsRead();
  await runAll(20);
  // Its sessions tell what they have read when they end.
  await worker.stop();
  const read = (await rowsRead()) - before;
  // The copies may have been counted for the charts meanwhile, each by its key. It was some fifty walks through them.
  expect(read).toBeLessThan(4 * STORED);
});

/** A beat that reads a backlog takes longer than the lease: every worker would lose its own, and the backlog would stay. */
describe("a backlog", () => {
  let own: TestDatabase;
  beforeEach(async () => {
    own = await createTestDatabase();
    await own.pool.query("alter table handrail.run set (autovacuum_enabled = off)");
    await start(poolDb(own.pool), child);
  });
  afterEach(() => own.drop());

  const arrives = () =>
    own.pool.query(
      `insert into handrail.run select copy.*
       from (select * from handrail.run limit 1) as run, generate_series(1, $1) as n,
         jsonb_populate_record(null::handrail.run, to_jsonb(run) || jsonb_build_object('id', md5(n::text))) as copy`,
      [STORED],
    );

  const beatOnce = async (tx: Db) => {
    await beat(tx, 1, 0, LEASE_MS);
    await readNews(tx, 1);
  };

  /** Rows of `run` that this transaction has read by walks. */
  async function walkedIn(tx: Db): Promise<number> {
    const text = "select pg_stat_get_xact_tuples_returned('handrail.run'::regclass)::int as n";
    const [row] = await tx.query<{ n: number }>({ name: "walked", text }, []);
    return row?.n ?? Number.NaN;
  }

  it("is not read by a beat that was planned before it came", async () => {
    const { heartbeatPool, end } = openWorkerPools({
      databaseUrl: own.url,
      name: "beats",
      leaseMs: LEASE_MS,
      engine: 1,
      app: 1,
    });
    const walked = await poolDb(heartbeatPool).transaction(async (tx) => {
      // PostgreSQL keeps a plan from the sixth time on.
      for (let n = 0; n < 6; n++) await beatOnce(tx);
      await arrives();
      await beatOnce(tx);
      return walkedIn(tx);
    });
    await end();
    expect(walked).toBeLessThan(STORED);
  });

  it("is not read by a beat that is planned with it in sight, as each is behind a pooler", async () => {
    await arrives();
    await own.pool.query("analyze handrail.run");
    const walked = await poolDb(own.pool).transaction(async (tx) => {
      await beatOnce(tx);
      return walkedIn(tx);
    });
    expect(walked).toBeLessThan(STORED);
  });

  it("is not read by anything that a worker asks which lacks its code", async () => {
    await arrives();
    await own.pool.query("analyze handrail.run");
    const worker = await startWorker(own, [limited], { leaseMs: 1_000 });
    await until("Beats of four seconds", async () => {
      const { rows } = await own.pool.query(
        "select heartbeat_at - started_at > interval '4 s' as beaten from handrail.worker",
      );
      return rows[0].beaten;
    });
    // Its sessions tell what they have read when they end.
    await worker.stop();
    const { rows } = await own.pool.query(
      "select seq_tup_read::int as n from pg_stat_user_tables where relid = 'handrail.run'::regclass",
    );
    expect(rows[0].n).toBeLessThan(STORED);
  });
});
