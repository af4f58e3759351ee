import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { createPrisma } from "../../../demo/services/prisma";
import { findPgbouncer } from "../../../scripts/test/pgbouncer";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { startPooler, type TestPooler } from "../../testing/database/pgbouncer";
import { until } from "../../testing/until";
import { startUntold } from "../../testing/workers/a-worker";
import { anEngine } from "../../testing/workers/engine";
import { poolDb } from "../db";
import { migrate } from "../migrations/migrate";
import { Listener } from "./listener";
import { Notifier } from "./notifier";
import { createPool, type PoolOptions } from "./pools";
import type { PooledSession } from "./session";

const program = findPgbouncer() ?? "";

// Skipped where there is no PgBouncer (Debian: apt-get install pgbouncer; PGBOUNCER_PATH names another).
describe.skipIf(!program)("behind PgBouncer in transaction mode", () => {
  const engine = anEngine();
  let pooler: TestPooler;
  let reported: PooledSession[];
  const pools: Pool[] = [];

  beforeEach(async () => {
    reported = [];
    pooler = await startPooler(program, engine.database.url);
  });
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.end()));
    await pooler.stop();
  });

  function aPool(changes: Partial<PoolOptions> = {}): Pool {
    const limits = { max: 12, statementTimeoutMs: 5_000, idleInTransactionMs: 5_000 };
    const onPooled = (session: PooledSession) => reported.push(session);
    const pool = createPool({ databaseUrl: pooler.url, name: "pool under test", ...limits, onPooled, ...changes });
    pools.push(pool);
    return pool;
  }

  async function onPoolerWith(connectQuery: string): Promise<void> {
    await pooler.stop();
    pooler = await startPooler(program, engine.database.url, { connect_query: `'${connectQuery}'` });
  }

  it("a statement runs repeatedly on any of the pooler's connections, and the pool's owner is notified", async () => {
    const db = poolDb(aPool({ onePlan: true }));
    const pid = { name: "pid", text: "select pg_backend_pid() as pid, pg_sleep(0.001)::text where $1::int = 1" };
    const rows = await Promise.all(Array.from({ length: 200 }, () => db.query<{ pid: number }>(pid, [1])));
    expect(new Set(rows.flat().map((row) => row.pid)).size).toBeGreaterThan(1);
    expect(await engine.rows("select name from pg_prepared_statements")).toEqual([]);
    expect(reported).toEqual([{ limited: true }]);
  });

  it("a direct connection is not reported", async () => {
    await aPool({ databaseUrl: engine.database.url }).query("select 1");
    expect(reported).toEqual([]);
  });

  it("transactions of pg and of Prisma use one connection each", async () => {
    const pool = aPool();
    const prisma = createPrisma(pool);
    const id = (number: number) => `pooled-${number}`;
    await Promise.all(
      Array.from({ length: 30 }, (_, number) =>
        prisma.$transaction(
          async (tx) => {
            await tx.order.create({ data: { id: id(number), amountCents: number, email: "a@example.com" } });
            await tx.order.update({ where: { id: id(number) }, data: { amountCents: { increment: 1 } } });
          },
          { maxWait: 30_000 }, // they take turns on few connections
        ),
      ),
    );
    await Promise.all(
      Array.from({ length: 30 }, (_, number) =>
        poolDb(pool).transaction(async (tx) => {
          const update = `update demo."order" set amount_cents = amount_cents + 1 where id = $1`;
          await tx.query({ name: "add", text: update }, [id(number)]);
          await tx.query({ name: "add", text: update }, [id(number)]);
        }),
      ),
    );
    const [sum] = await engine.rows(
      `select sum(amount_cents)::int as cents from demo."order" where id like 'pooled-%'`,
    );
    expect(sum).toEqual({ cents: (29 * 30) / 2 + 30 * 3 });
    await prisma.$disconnect();
  });

  it("sessions without a timeout for idle transactions are used, and reported", async () => {
    await onPoolerWith("set idle_in_transaction_session_timeout = 0");
    await aPool().query("select 1");
    expect(reported).toEqual([{ limited: false }]);
  });

  it("sessions whose commits may be lost are refused", async () => {
    await onPoolerWith("set synchronous_commit = off");
    await expect(aPool().query("select 1")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("synchronous_commit = off"),
    });
  });

  it("a listener receives nothing, and reports it once", async () => {
    let times = 0;
    const events = { onNote: () => undefined, onConnect: () => undefined, onDeaf: () => void times++ };
    const listener = new Listener(pooler.url, ["some_channel"], events);
    const run = listener.run();
    await until("What it says", () => times > 0);
    await delay(200);
    await listener.stop();
    await run;
    expect(times).toBe(1);
  });

  it("a worker with a direct address is notified of new work at once", async () => {
    const workflow = defineWorkflow({ name: "pooled-wake", input: z.object({}) }, async () => "awake");
    await engine.worker([workflow], { url: pooler.url, directUrl: engine.database.url });
    const notifier = new Notifier(poolDb(aPool()));
    const waitOf = async (isTold: boolean) => {
      // Out of step with the worker's own polling.
      await delay(137);
      const since = performance.now();
      const runId = await startUntold(engine.db, workflow);
      if (isTold) notifier.work();
      await engine.untilEnded(runId);
      return performance.now() - since;
    };
    const waits = { notified: [] as number[], found: [] as number[] };
    for (let times = 0; times < 5; times++) {
      waits.notified.push(await waitOf(true));
      waits.found.push(await waitOf(false));
    }
    await notifier.close();
    // The worker polls every 1.5 s, on a slow machine as well.
    expect(median(waits.found) - median(waits.notified)).toBeGreaterThan(300);
  });

  it("transactions that fill the whole pool need no further connection", async () => {
    await pooler.stop();
    pooler = await startPooler(program, engine.database.url, { default_pool_size: "2" });
    const workflow = defineWorkflow(
      { name: "pooled-full", input: z.object({}), onFailure: "compensate", retry: { maxAttempts: 1 } },
      async (ctx) => {
        await ctx.transaction("write", async (tx) => tx.order.count(), {
          compensate: async (_, { tx, log }) => {
            log("undoing");
            await tx.$queryRaw`select pg_sleep(0.2)::text`;
            log("undone");
          },
        });
        await ctx.step("fails", () => {
          throw new Error("no");
        });
      },
    );
    const runIds = await Promise.all(Array.from({ length: 8 }, () => engine.start(workflow)));
    await engine.worker([workflow], { url: pooler.url, directUrl: engine.database.url, connections: 8 });
    for (const runId of runIds) {
      const { run, compensations } = await engine.untilEnded(runId);
      expect(run.status).toBe("compensated");
      expect(compensations).toMatchObject([{ status: "completed", attempt: 1 }]);
      const lines = await engine.rows("select message from handrail.log where run_id = $1 order by id", [runId]);
      expect(lines).toEqual([{ message: "undoing" }, { message: "undone" }]);
    }
  });

  it("a worker without a direct address finds its work by polling", async () => {
    const workflow = defineWorkflow({ name: "pooled-asking", input: z.object({}) }, (ctx) =>
      ctx.transaction("count", async (tx) => tx.order.count()),
    );
    const { run } = await engine.runToEnd(workflow, {}, { url: pooler.url });
    expect(run.status).toBe("completed");
  });

  it("the queries that the page recommends after a failover work", async () => {
    const page = await readFile(new URL("../../../docs/poolers-and-failover.md", import.meta.url), "utf8");
    const [, sql = ""] = /```sql\n(.*?)```/s.exec(page) ?? [];
    expect(await engine.rows(sql)).toEqual([]);
  });

  it("a start is allowed on a migrated database, and refused on one that needs a migration", async () => {
    expect(await migrate(pooler.url)).toEqual({ applied: [] });
    await pooler.stop();
    pooler = await startPooler(program, inject("postgresUrl"));
    await expect(migrate(pooler.url)).rejects.toThrow(
      /wants (a migration|\d+ migrations),.*Let DATABASE_DIRECT_URL name the database/,
    );
  });
});

const median = (times: readonly number[]) => [...times].sort((a, b) => a - b)[times.length >> 1] as number;
