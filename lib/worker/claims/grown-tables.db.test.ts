import type { Pool } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { type Db, poolDb } from "../../store/db";
import { lockLanes } from "../../store/queues/claim-queued";
import { beat, readNews } from "../../store/workers/beat";
import { glance } from "../../store/workers/glance";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { entriesRead, entriesReadBy } from "../../testing/database/entries-read";
import { until } from "../../testing/until";
import { start, startWorker } from "../../testing/workers/a-worker";
import { openWorkerPools } from "../loop/worker-pools";

let own: TestDatabase;
let db: Db;
beforeEach(async () => {
  own = await createTestDatabase();
  db = poolDb(own.pool);
  for (const table of ["run", "step", "queue_lane"])
    await own.pool.query(`alter table handrail.${table} set (autovacuum_enabled = off)`);
});
afterEach(() => own.drop());

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

/** PostgreSQL keeps a worker's plans until something about the tables changes: until it has counted them anew, they may grow for minutes. */
it.each([
  ["never counted", ""],
  ["counted while it was small", "analyze"],
  // As on a busy machine, where ends come in another order than starts: a walk through the ends seems the cheaper way to a few ids.
  [
    "counted while it was small and its ids in disorder",
    `analyze; select ${[
      ["id", 0],
      ["finished_at", 1],
    ].map(
      ([column, correlation]) =>
        `pg_restore_attribute_stats('schemaname', 'handrail', 'relname', 'run', 'attname', '${column}', 'inherited', false, 'correlation', ${correlation}::real)`,
    )}`,
  ],
])("what a worker sends reads no table whole that has grown since it was planned, and was %s", async (_, counted) => {
  const worker = await startWorker(own, [parent, child, limited]);
  await runAll(8);
  await own.pool.query(counted);
  await runAll(8);
  await own.pool.query(
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
  const before = await entriesRead(own, "run", "step");
  await runAll(20);
  await worker.stop();
  const read = (await entriesRead(own, "run", "step")) - before;
  // The copies may have been counted for the charts meanwhile, their starts, ends and steps each by an index. It was a hundred walks through them.
  expect(read).toBeLessThan(8 * STORED);
});

/** A beat that reads a backlog takes longer than the lease: every worker would lose its own, and the backlog would stay. */
describe("a backlog", () => {
  beforeEach(() => start(db, child));

  const arrives = () =>
    own.pool.query(
      `insert into handrail.run select copy.*
       from (select * from handrail.run limit 1) as run, generate_series(1, $1) as n,
         jsonb_populate_record(null::handrail.run, to_jsonb(run) || jsonb_build_object('id', md5(n::text))) as copy`,
      [STORED],
    );

  interface Asked {
    plan(tx: Db): Promise<unknown>;
    grow(): Promise<unknown>;
    ask(tx: Db): Promise<unknown>;
  }

  /** What `ask` reads of these tables, in a session of a worker that has planned it before `grow`. */
  async function readWithKeptPlans(tables: readonly string[], { plan, grow, ask }: Asked): Promise<number> {
    const pools = openWorkerPools({ databaseUrl: own.url, name: "grown", leaseMs: LEASE_MS, engine: 1, app: 1 });
    try {
      return await poolDb(pools.heartbeatPool).transaction(async (tx) => {
        // PostgreSQL keeps a plan from the sixth time on.
        for (let n = 0; n < 6; n++) await plan(tx);
        await grow();
        return entriesReadBy(tx, tables, () => ask(tx));
      });
    } finally {
      await pools.end();
    }
  }

  const beatOnce = async (tx: Db) => {
    await beat(tx, 1, 0, LEASE_MS);
    await readNews(tx, 1);
  };

  it("is not read by a beat that was planned before it came", async () => {
    const read = await readWithKeptPlans(["run"], { plan: beatOnce, grow: arrives, ask: beatOnce });
    expect(read).toBeLessThan(STORED);
  });

  it("is not read by a beat that is planned with it in sight, as each is behind a pooler", async () => {
    await arrives();
    await own.pool.query("analyze handrail.run");
    const read = await db.transaction((tx) => entriesReadBy(tx, ["run"], () => beatOnce(tx)));
    expect(read).toBeLessThan(STORED);
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
    // Their starts are counted for the charts.
    expect(await entriesRead(own, "run")).toBeLessThan(3 * STORED);
  });

  describe("of as many queues", () => {
    beforeEach(async () => {
      await start(db, limited);
      await own.pool.query("create table queued as select * from handrail.run where workflow = 'grown-limited'");
    });

    /** Copies of a run, each in another queue. */
    const copy = (from: string, pool: Pick<Pool, "query"> = own.pool) =>
      pool.query(
        `insert into handrail.run select copy.*
         from (select * from ${from} where workflow = 'grown-limited' limit 1) as run, generate_series(1, $1) as n,
           jsonb_populate_record(null::handrail.run, to_jsonb(run) || jsonb_build_object('id', md5($2 || n), 'queue_key', n)) as copy`,
        [STORED, from],
      );

    /** At once, so that no worker opens the queues by their notes. */
    async function queuesArrive(lane: string): Promise<void> {
      const tx = await own.pool.connect();
      await tx.query("begin");
      await copy("queued", tx);
      await tx.query(`insert into handrail.queue_lane (workflow, key, ready, opens_at)
        select workflow, key, ${lane} from handrail.queue_note where key <> ''`);
      await tx.query("delete from handrail.queue_note");
      await tx.query("commit");
      tx.release();
    }

    const fitting = { versions: [limited], waitMs: 0 };
    const glanceOnce = (tx: Db) => glance(tx, 1, fitting);
    const BOTH = ["run", "queue_lane"];

    it.each([
      ["are ready", "true, null", expect.closeTo(0, -4)],
      ["open in an hour", "false, clock_timestamp() + interval '1 hour'", expect.closeTo(3_600_000, -5)],
    ])("is not read by a glance: they %s", async (_, lane, workInMs) => {
      await queuesArrive(lane);
      await own.pool.query("analyze handrail.run, handrail.queue_lane");
      await db.transaction(async (tx) => {
        const seen = async () => expect(await glanceOnce(tx)).toMatchObject({ workInMs });
        expect(await entriesReadBy(tx, BOTH, seen)).toBeLessThan(STORED / 10);
      });
    });

    it.each<[string, (tx: Db) => Promise<unknown>, unknown]>([
      ["a glance", glanceOnce, expect.objectContaining({ workInMs: expect.closeTo(0, -4) })],
      [
        "a claim of queues",
        async (tx) => (await lockLanes(tx, 1, [{ workflow: limited.name, least: -1_000 }], 5, fitting)).lanes.length,
        5,
      ],
    ])("is not read by %s that was planned before it came", async (_, ask, answer) => {
      const worker = await startWorker(own, [child]);
      const read = await readWithKeptPlans(BOTH, {
        plan: ask,
        grow: () => queuesArrive("key::int % 2 = 0, case when key::int % 2 = 1 then clock_timestamp() end"),
        ask: async (tx) => expect(await ask(tx)).toEqual(answer),
      });
      await worker.stop();
      expect(read).toBeLessThan(STORED / 10);
    });

    it("is not read by claims from queues that were planned before it came", async () => {
      const worker = await startWorker(own, [limited]);
      const runMore = async (times: number) => {
        ends = 0;
        for (let n = 0; n < times; n++) {
          await start(db, limited);
          await until("A run's end", () => ends > n);
        }
      };
      await runMore(10);
      await copy("handrail.run");
      await queuesArrive("false, clock_timestamp() + interval '1 hour'");
      const before = await entriesRead(own, "run", "queue_lane");
      await runMore(20);
      await worker.stop();
      expect((await entriesRead(own, "run", "queue_lane")) - before).toBeLessThan(4 * STORED);
    });
  });
});
