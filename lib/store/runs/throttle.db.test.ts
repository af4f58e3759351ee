import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { prepareStart, type StartOptions } from "../../engine/runs/start";
import { defineWorkflow, type WorkflowOptions } from "../../engine/workflows/workflow";
import { anEngine } from "../../testing/workers/engine";
import { clientDb, type Db, poolDb } from "../db";
import { insertRunsOnce } from "./start-many";
import { insertRunOnce } from "./start-run";
import { deleteOldThrottles } from "./throttle";

const engine = anEngine();
const input = z.object({ customer: z.string() });

const aThrottled = (name: string, limit: number, perMs = 60_000, given: Partial<WorkflowOptions<typeof input>> = {}) =>
  defineWorkflow(
    { name, input, throttle: { limit, perMs, key: ({ customer }) => customer }, ...given },
    async () => "done",
  );
type Throttled = ReturnType<typeof aThrottled>;

const startIn = async (db: Db, workflow: Throttled, customer: string, options?: StartOptions) =>
  insertRunOnce(db, await prepareStart(workflow, { customer }, options));
const startOf = (workflow: Throttled, customer: string, options?: StartOptions) =>
  startIn(engine.db, workflow, customer, options);
const refused = { code: "throttled", details: { retryAfterMs: expect.any(Number) } };
const runsOf = async ({ name }: Throttled) =>
  (await engine.rows("select from handrail.run where workflow = $1", [name])).length;
const countedFor = async ({ name }: Throttled) =>
  (
    await engine.rows<{ n: number }>("select cardinality(starts) as n from handrail.throttle where workflow = $1", [
      name,
    ])
  )[0]?.n;

describe("a throttled start", () => {
  it("is refused beyond the limit of its key, and says when the next one is taken", async () => {
    const workflow = aThrottled("two-a-minute", 2);
    await startOf(workflow, "a");
    await delay(50);
    await startOf(workflow, "a");
    const error = await startOf(workflow, "a").catch((thrown) => thrown);
    expect(error).toMatchObject(refused);
    // Until the first of the two leaves the period, not the second.
    expect(error.details.retryAfterMs).toBeGreaterThan(50_000);
    expect(error.details.retryAfterMs).toBeLessThanOrEqual(59_950);
    expect((await startOf(workflow, "b")).created).toBe(true);
    expect(await runsOf(workflow)).toBe(3);
  });

  it("is taken once the time it was told has passed", async () => {
    const workflow = aThrottled("short", 1, 200);
    await startOf(workflow, "a");
    const error = await startOf(workflow, "a").catch((thrown) => thrown);
    expect(error).toMatchObject(refused);
    await delay(error.details.retryAfterMs);
    expect((await startOf(workflow, "a")).created).toBe(true);
  });

  it("counts what a build with a shorter period has taken, and is not forgotten by it", async () => {
    const longer = aThrottled("side-by-side", 2, 60_000);
    const shorter = aThrottled("side-by-side", 5, 1);
    await startOf(longer, "a");
    await startOf(shorter, "a");
    const error = await startOf(longer, "a").catch((thrown) => thrown);
    expect(error).toMatchObject(refused);
    expect(error.details.retryAfterMs).toBeGreaterThan(50_000);
    await startOf(shorter, "a");
    await deleteOldThrottles(engine.db, 1_000);
    await expect(startOf(longer, "a")).rejects.toMatchObject(refused);
  });

  it("fifty at once, from many connections: exactly the limit is taken", async () => {
    const workflow = aThrottled("fifty-at-once", 7);
    const pool = new pg.Pool({ connectionString: engine.database.url, max: 20 });
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => startIn(poolDb(pool), workflow, "a")));
    await pool.end();
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(7);
    for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject(refused);
    expect([await runsOf(workflow), await countedFor(workflow)]).toEqual([7, 7]);
  });

  it("in no sliding period are there more than the limit", async () => {
    const workflow = aThrottled("sliding", 3, 300);
    // The instants as counted: a run's own is later by what the statements between take.
    await engine.rows(`
      create table counted (at timestamptz not null);
      create function note_counted() returns trigger language plpgsql as $$
        begin insert into counted values (new.starts[cardinality(new.starts)]); return null; end $$;
      create trigger note_counted after insert or update on handrail.throttle for each row
        when (new.workflow = 'sliding') execute function note_counted()`);
    const until = Date.now() + 1_500;
    while (Date.now() < until) await Promise.all([1, 2, 3].map(() => startOf(workflow, "a").catch(() => delay(5))));
    const [most] = await engine.rows<{ most: number; counted: number }>(
      `select max((select count(*) from counted as other
         where other.at >= counted.at and other.at < counted.at + interval '300 ms'))::int as most, count(*)::int as counted
       from counted`,
    );
    expect(most?.counted).toBe(await runsOf(workflow));
    expect(most?.most).toBe(3);
  });

  it("with the idempotency key of an earlier one gives that run, also at the same instant, and does not count", async () => {
    const workflow = aThrottled("repeated-throttled", 1);
    const started = await Promise.all([1, 2, 3].map(() => startOf(workflow, "a", { idempotencyKey: "k" })));
    expect(new Set(started.map(({ id }) => id)).size).toBe(1);
    expect(await countedFor(workflow)).toBe(1);
  });

  it("in a transaction that rolls back does not count; one that is refused leaves nothing in a transaction that goes on", async () => {
    const workflow = aThrottled("in-app", 1);
    const client = await engine.database.pool.connect();
    await client.query("begin");
    await startIn(clientDb(client), workflow, "a");
    await client.query("rollback");
    await client.query("begin");
    await startIn(clientDb(client), workflow, "a");
    await expect(startIn(clientDb(client), workflow, "a")).rejects.toMatchObject(refused);
    await client.query("commit");
    client.release();
    expect(await runsOf(workflow)).toBe(1);
  });

  it("that a live run of its singleton key refuses does not count", async () => {
    const workflow = aThrottled("both", 2, 60_000, { singleton: { key: ({ customer }) => customer } });
    const client = await engine.database.pool.connect();
    await client.query("begin");
    await startIn(clientDb(client), workflow, "a");
    await expect(startIn(clientDb(client), workflow, "a")).rejects.toMatchObject({ code: "singleton_conflict" });
    await client.query("commit");
    client.release();
    expect(await countedFor(workflow)).toBe(1);
  });

  it("that joins the live run of its singleton key is answered with it beyond the limit, too", async () => {
    const workflow = aThrottled("joins-beyond", 1, 60_000, { singleton: { onConflict: "existing" } });
    const { id } = await startOf(workflow, "a");
    expect(await startOf(workflow, "a")).toEqual({ id, created: false });
    expect([await runsOf(workflow), await countedFor(workflow)]).toEqual([1, 1]);
  });

  it("of many is all or none", async () => {
    const workflow = aThrottled("many-throttled", 2);
    const runs = await Promise.all(["a", "b", "a", "a"].map((customer) => prepareStart(workflow, { customer })));
    await expect(insertRunsOnce(engine.db, runs)).rejects.toMatchObject({
      ...refused,
      details: expect.objectContaining({ index: 3 }),
    });
    expect(await runsOf(workflow)).toBe(0);
    const started = await insertRunsOnce(engine.db, runs.slice(0, 3));
    expect(new Set(started.map(({ id }) => id)).size).toBe(3);
  });

  it("keeps no row once its starts no longer count", async () => {
    const workflow = aThrottled("forgotten", 1, 1);
    await startOf(workflow, "a");
    await delay(20);
    expect(await deleteOldThrottles(engine.db, 1_000)).toBeGreaterThanOrEqual(1);
    expect(await countedFor(workflow)).toBeUndefined();
  });

  it.each([{ limit: 0 }, { limit: 1_001 }, { limit: 1.5 }])("a limit of %j is refused", ({ limit }) => {
    expect(() => aThrottled("bad", limit)).toThrow(/throttle.limit/);
  });
});
