import pg from "pg";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createPrisma } from "../../../demo/services/prisma";
import { prismaDb } from "../../adapters/prisma";
import { prepareStart, type StartOptions } from "../../engine/runs/start";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { anEngine } from "../../testing/workers/engine";
import { clientDb, type Db, poolDb } from "../db";
import { insertManyRuns, insertRunOnce } from "./start-run";

const engine = anEngine();

const order = defineWorkflow(
  {
    name: "start-order",
    version: 3,
    input: z.looseObject({ orderId: z.string() }),
    tags: ({ orderId }) => ({ orderId }),
  },
  async () => undefined,
);

const prepared = (input: object, options?: StartOptions) => prepareStart(order, input, options);
const startIn = async (db: Db, input: object, options?: StartOptions) =>
  insertRunOnce(db, await prepared(input, options));
const countOf = async (key: string) => {
  const [row] = await engine.rows<{ count: number }>(
    "select count(*)::int as count from handrail.run where idempotency_key = $1",
    [key],
  );
  return row?.count;
};

describe("a start", () => {
  it("writes a run with its input, its tags and its workflow's version", async () => {
    const { id, created } = await startIn(
      engine.db,
      { orderId: "A-1", at: new Date(0) },
      { tags: { shop: "north" }, priority: 7 },
    );
    expect(created).toBe(true);
    expect((await engine.historyOf(id)).run).toMatchObject({
      workflow: "start-order",
      version: 3,
      status: "pending",
      priority: 7,
      epoch: 0,
      due_at: null,
      tags: { orderId: "A-1", shop: "north" },
    });
    expect(await engine.rows("select name, value from handrail.run_tag where run_id = $1 order by name", [id])).toEqual(
      [
        { name: "orderId", value: "A-1" },
        { name: "shop", value: "north" },
      ],
    );
  });

  it("for later waits until its instant; for a past instant it does not", async () => {
    const later = await startIn(engine.db, { orderId: "later" }, { runAt: new Date(Date.now() + 60_000) });
    const past = await startIn(engine.db, { orderId: "past" }, { runAt: new Date(Date.now() - 60_000) });
    expect((await engine.historyOf(later.id)).run.due_at).toBeInstanceOf(Date);
    expect((await engine.historyOf(past.id)).run.due_at).toBeNull();
  });

  it("runs at its instant and not before", async () => {
    const workflow = defineWorkflow({ name: "start-delayed", input: z.object({}) }, async () => "done");
    const runAt = new Date(Date.now() + 400);
    const runId = await engine.start(workflow, {}, { runAt });
    await engine.worker([workflow]);
    const { run } = await engine.untilEnded(runId);
    expect((run.started_at as Date).getTime()).toBeGreaterThanOrEqual(runAt.getTime());
  });
});

describe("starts with one key", () => {
  it("fifty at once, from many connections, are one run", async () => {
    const pool = new pg.Pool({ connectionString: engine.database.url, max: 20 });
    for (let round = 0; round < 4; round++) {
      const key = `fifty-${round}`;
      const started = await Promise.all(
        Array.from({ length: 50 }, () => startIn(poolDb(pool), { orderId: "A-1" }, { idempotencyKey: key })),
      );
      expect(new Set(started.map(({ id }) => id)).size).toBe(1);
      expect(started.filter(({ created }) => created)).toHaveLength(1);
      expect(await countOf(key)).toBe(1);
    }
    await pool.end();
  });

  it("with different inputs: one input wins, and the others get the conflict", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        startIn(engine.db, { orderId: index % 2 ? "A-1" : "B-2" }, { idempotencyKey: "halves" }),
      ),
    );
    const ids = new Set(outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.id] : [])));
    expect(ids.size).toBe(1);
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(refused).toHaveLength(20);
    for (const error of refused)
      expect(error).toMatchObject({ code: "idempotency_conflict", details: { runId: [...ids][0] } });
    expect(await countOf("halves")).toBe(1);
  });

  it("are the same whatever the order of the input's keys, and after the run's end", async () => {
    const first = await startIn(
      engine.db,
      { orderId: "A-1", items: { a: 1, b: [2] } },
      { idempotencyKey: "key-order" },
    );
    await engine.rows("update handrail.run set status = 'cancelled', finished_at = now() where id = $1", [first.id]);
    const second = await startIn(
      engine.db,
      { items: { b: [2], a: 1 }, orderId: "A-1" },
      { idempotencyKey: "key-order" },
    );
    expect(second).toEqual({ id: first.id, created: false });
    await expect(
      startIn(engine.db, { orderId: "A-1", items: { a: 1, b: [2, 3] } }, { idempotencyKey: "key-order" }),
    ).rejects.toMatchObject({ code: "idempotency_conflict" });
  });

  it("of two workflows are two runs", async () => {
    const other = defineWorkflow({ name: "start-other", input: z.object({}) }, async () => undefined);
    const one = await startIn(engine.db, { orderId: "A-1" }, { idempotencyKey: "shared" });
    const two = await insertRunOnce(engine.db, await prepareStart(other, {}, { idempotencyKey: "shared" }));
    expect(two.created).toBe(true);
    expect(two.id).not.toBe(one.id);
  });

  it.each(["quote ' and \\", "名前", "🙂".repeat(60), "x".repeat(255)])(
    "may have any text for it (%s)",
    async (key) => {
      const first = await startIn(engine.db, { orderId: "A-1" }, { idempotencyKey: key });
      expect(await startIn(engine.db, { orderId: "A-1" }, { idempotencyKey: key })).toEqual({
        id: first.id,
        created: false,
      });
    },
  );
});

describe("a start inside the app's own transaction", () => {
  const prisma = () => createPrisma(engine.database.pool);

  /** Writes an order of the app's and starts its run, in one transaction of the given kind. */
  const KINDS: [string, (orderId: string, fail: boolean) => Promise<unknown>][] = [
    [
      "of pg",
      async (orderId, fail) => {
        const client = await engine.database.pool.connect();
        try {
          await client.query("begin");
          await client.query(`insert into demo."order" (id, amount_cents, email) values ($1, 1, 'a@example.com')`, [
            orderId,
          ]);
          await startIn(clientDb(client), { orderId }, { idempotencyKey: orderId });
          if (fail) throw new Error("changed my mind");
          await client.query("commit");
        } catch (error) {
          await client.query("rollback");
          throw error;
        } finally {
          client.release();
        }
      },
    ],
    [
      "of Prisma",
      (orderId, fail) =>
        prisma().$transaction(async (tx) => {
          await tx.order.create({ data: { id: orderId, amountCents: 1, email: "a@example.com" } });
          await startIn(prismaDb(tx), { orderId }, { idempotencyKey: orderId, priority: 3, runAt: new Date() });
          if (fail) throw new Error("changed my mind");
        }),
    ],
  ];
  const ordersOf = (orderId: string) => engine.rows(`select id from demo."order" where id = $1`, [orderId]);

  it.each(KINDS)("%s exists when that commits", async (kind, act) => {
    const orderId = `committed ${kind}`;
    await act(orderId, false);
    expect(await countOf(orderId)).toBe(1);
    expect(await ordersOf(orderId)).toHaveLength(1);
  });

  it.each(KINDS)("%s does not exist when that rolls back, and its key is free", async (kind, act) => {
    const orderId = `rolled back ${kind}`;
    await expect(act(orderId, true)).rejects.toThrow("changed my mind");
    expect(await countOf(orderId)).toBe(0);
    expect(await ordersOf(orderId)).toEqual([]);
    await act(orderId, false);
    expect(await countOf(orderId)).toBe(1);
  });

  it("makes another start with its key wait, which takes the key over when it rolls back", async () => {
    const client = await engine.database.pool.connect();
    await client.query("begin");
    await startIn(clientDb(client), { orderId: "A-1" }, { idempotencyKey: "waits" });
    const other = startIn(engine.db, { orderId: "B-2" }, { idempotencyKey: "waits" });
    await client.query("rollback");
    client.release();
    expect((await other).created).toBe(true);
    expect(await countOf("waits")).toBe(1);
  });

  it("is found by a second start in it, and conflicts with another input", async () => {
    await engine.db.transaction(async (tx) => {
      const first = await startIn(tx, { orderId: "A-1" }, { idempotencyKey: "twice in one" });
      expect(await startIn(tx, { orderId: "A-1" }, { idempotencyKey: "twice in one" })).toEqual({
        id: first.id,
        created: false,
      });
      await expect(startIn(tx, { orderId: "B-2" }, { idempotencyKey: "twice in one" })).rejects.toMatchObject({
        code: "idempotency_conflict",
      });
    });
    expect(await countOf("twice in one")).toBe(1);
  });
});

describe("many starts in one statement", () => {
  it("keep their order, each with its tags, delay and priority", async () => {
    const runs = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        prepared(
          { orderId: `bulk-${index}` },
          { priority: index % 10, ...(index % 2 && { runAt: new Date(Date.now() + 3_600_000) }) },
        ),
      ),
    );
    const ids = await insertManyRuns(engine.db, runs);
    expect(ids).toEqual([...ids].sort());
    const rows = await engine.rows<{ id: string; priority: number; delayed: boolean; order: string }>(
      `select id, priority, due_at is not null as delayed, value as order from handrail.run
       join handrail.run_tag on run_id = id and name = 'orderId' where id = any ($1::uuid[]) order by id`,
      [ids],
    );
    expect(rows).toEqual(
      ids.map((id, index) => ({ id, priority: index % 10, delayed: index % 2 === 1, order: `bulk-${index}` })),
    );
  });

  it("are all or none", async () => {
    const good = await prepared({ orderId: "with a bad one" });
    await expect(insertManyRuns(engine.db, [good, { ...good, priority: 100_000 }])).rejects.toThrow();
    expect(await engine.rows("select from handrail.run_tag where value = 'with a bad one'")).toEqual([]);
  });
});
