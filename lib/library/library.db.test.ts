import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { pgTransactions } from "../adapters/pg";
import { defineConfig } from "../app";
import { inTransaction } from "../store/db";
import { createTestDatabase, type TestDatabase } from "../testing/database/database";
import { expectInvariants } from "../testing/database/invariants";
import { callWitness } from "../testing/database/witness";
import { until } from "../testing/until";
import { createHandrail, defineEvent, defineWorkflow, type Handrail, type PgTransaction } from "./handrail";

const sum = defineWorkflow(
  { name: "sum", input: z.object({ numbers: z.array(z.number()), at: z.date().optional() }) },
  async (ctx, { numbers, at }) => ({ total: await ctx.step("add", () => numbers.reduce((a, b) => a + b, 0)), at }),
);
const failing = defineWorkflow({ name: "failing", input: z.object({}) }, (ctx) =>
  ctx.step("fail", () => Promise.reject(new Error("on purpose")), { retry: { maxAttempts: 1 } }),
);
const patient = defineWorkflow({ name: "patient", input: z.object({}) }, (ctx) =>
  ctx.step("wait", () => delay(1_000), { effect: "once" }),
);
const paid = defineEvent({ name: "paid", payload: z.object({ cents: z.number() }) });
const waiting = defineWorkflow(
  { name: "waiting", input: z.object({ id: z.string() }), events: [paid] },
  (ctx, { id }) => ctx.waitForEvent("paid", { event: paid, key: id }),
);

let database: TestDatabase;
let handrail: Handrail<PgTransaction>;
const anotherHandrail = () =>
  createHandrail({ workflows: [sum, failing, waiting], databaseUrl: database.url, name: "shop" });

beforeAll(async () => {
  database = await createTestDatabase();
  await callWitness(database.pool);
  handrail = anotherHandrail();
  await handrail.worker({ concurrency: 5 }).start();
});
afterAll(async () => {
  await handrail.close();
  await expectInvariants(database.pool);
  await database.drop();
});

describe("a started run", () => {
  it("gives its output, decoded and typed", async () => {
    const at = new Date();
    const run = await handrail.start(sum, { numbers: [1, 2], at });
    const result = await run.result({ timeoutMs: 30_000 });
    expect(result).toEqual({ output: { total: 3, at } });
    expectTypeOf(result.output.total).toEqualTypeOf<number>();
    expectTypeOf(handrail.start<typeof sum.input, unknown>)
      .parameter(1)
      .toEqualTypeOf<{
        numbers: number[];
        at?: Date | undefined;
      }>();
    expect(await handrail.run(run.id).result()).toEqual(result);
    expect(await run.status()).toMatchObject({ id: run.id, status: "completed", workflow: "sum" });
  });

  it("is the same for the same key, and refused for another input", async () => {
    const first = await handrail.start(sum, { numbers: [1] }, { idempotencyKey: "one" });
    const again = await handrail.start(sum, { numbers: [1] }, { idempotencyKey: "one" });
    expect([first.created, again.created, again.id]).toEqual([true, false, first.id]);
    const other = handrail.start(sum, { numbers: [2] }, { idempotencyKey: "one" });
    await expect(other).rejects.toMatchObject({ code: "idempotency_conflict" });
    const misfit = handrail.start(sum, { numbers: ["one" as unknown as number] });
    await expect(misfit).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("that fails throws its error as the cause", async () => {
    const run = await handrail.start(failing, {});
    const result = run.result();
    await expect(result).rejects.toMatchObject({ code: "run_failed", details: { runId: run.id, status: "failed" } });
    await expect(result).rejects.toMatchObject({ cause: { message: "on purpose" } });
  });

  it("can be waited for by many, each until its own timeout, and takes events", async () => {
    const run = await handrail.start(waiting, { id: "A-1" });
    const results = Array.from({ length: 20 }, () => run.result());
    await expect(run.result({ timeoutMs: 20 })).rejects.toMatchObject({ code: "wait_timed_out" });
    await expect(run.result({ signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow("gone");
    await expect(run.send("paid", { cents: "none" })).rejects.toMatchObject({ code: "invalid_input" });
    const sent = await handrail.send(paid, { cents: 5 }, { key: "A-1", id: "payment" });
    expect(sent).toEqual({ id: "payment", created: true });
    expect(await handrail.send(paid, { cents: 5 }, { key: "A-1", id: "payment" })).toMatchObject({ created: false });
    expect(await Promise.all(results)).toEqual(results.map(() => ({ output: { cents: 5 } })));
  });

  it("is cancelled with a row in the audit log, and listed", async () => {
    const run = await handrail.start(waiting, { id: "A-2" });
    const { runs } = await handrail.list({ workflow: ["waiting"], q: run.id });
    expect(runs.map(({ id }) => id)).toEqual([run.id]);
    await run.cancel({ reason: "not paid" });
    await expect(run.result()).rejects.toMatchObject({ code: "run_failed", details: { status: "cancelled" } });
    const { rows } = await database.pool.query("select act, reason, actor from handrail.audit where run_id = $1", [
      run.id,
    ]);
    expect(rows).toEqual([{ act: "cancel", reason: "not paid", actor: "shop" }]);
  });

  it("is the same run by its id in capitals", async () => {
    const { id } = await handrail.start(waiting, { id: "capitals" });
    const same = handrail.run(id.toUpperCase());
    const result = same.result({ timeoutMs: 30_000 });
    await same.send(paid, { cents: 1 });
    expect(await result).toEqual({ output: { cents: 1 } });
    expect(await same.status()).toMatchObject({ id, status: "completed" });
  });

  it("is unknown when there is none", async () => {
    const unknown = handrail.run("019aa5e0-0000-7000-8000-000000000001");
    for (const ask of [unknown.result, unknown.status, unknown.cancel])
      await expect(ask()).rejects.toMatchObject({ code: "unknown_run" });
  });
});

it("takes the configuration of its processes, whose adapter may be made on Handrail's connections", async () => {
  const config = defineConfig({ workflows: [sum], transactions: pgTransactions });
  const other = createHandrail({ ...config, databaseUrl: database.url });
  const run = await inTransaction(database.pool, (tx) => other.start(sum, { numbers: [3] }, { tx }));
  expect((await run.result()).output.total).toBe(3);
  await other.close();
});

it("ends what waits when it is closed, and refuses what comes later", async () => {
  const closing = anotherHandrail();
  const run = await closing.start(waiting, { id: "A-4" });
  const result = run.result();
  const refused = expect(result).rejects.toMatchObject({ code: "unavailable" });
  await until("The wait for the end", async () => {
    const { rows } = await database.pool.query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'handrail listener' and query <> ''",
    );
    return rows.length > 1;
  });
  await closing.close();
  await refused;
  await expect(closing.start(sum, { numbers: [] })).rejects.toMatchObject({ code: "unavailable" });
  await handrail.run(run.id).cancel();
});

it("a worker that could not start is started again, and leaves the others their time when it is closed", async () => {
  const early = await createTestDatabase();
  await early.pool.query("alter schema handrail rename to not_yet");
  const late = createHandrail({ workflows: [patient], databaseUrl: early.url, name: "late" });
  const worker = late.worker();
  await expect(worker.start()).rejects.toThrow();
  await early.pool.query("alter schema not_yet rename to handrail");
  await worker.start();
  const run = await late.start(patient, {});
  const step = async () =>
    (await early.pool.query("select status from handrail.step where run_id = $1", [run.id])).rows;
  await until("Its body", async () => (await step())[0]?.status === "running");
  await late.close();
  expect(await step()).toEqual([{ status: "completed" }]);
  await until("The end of its connections", async () => {
    const { rows } = await early.pool.query(
      "select from pg_stat_activity where datname = current_database() and application_name like '%handrail%'",
    );
    return rows.length === 0;
  });
  await early.drop();
});

it.each(["before", "after"])("closes while a migration drains that began %s its worker", async (drained) => {
  const migrating = await createTestDatabase();
  const some = async (rows: string) => (await migrating.pool.query(`select ${rows}`)).rows.length > 0;
  const drain = () =>
    migrating.pool.query(
      "insert into handrail.drain (migration, until_at) values ('m', clock_timestamp() + interval '10 minutes')",
    );
  const closing = createHandrail({ workflows: [sum], databaseUrl: migrating.url, name: "closing" });
  if (drained === "before") await drain();
  const started = closing.worker().start();
  if (drained === "after") {
    await started;
    await drain();
    await until("The worker's end", () => some("from handrail.worker where stopped_at is not null"));
  }
  const its = "datname = current_database() and application_name like '%handrail worker%'";
  await until("Its look at the database", () => some(`from pg_stat_activity where ${its} and query like '%drain%'`));
  const closed = closing.close().then(() => "closed");
  expect(await Promise.race([closed, delay(5_000, "still open")])).toBe("closed");
  await started;
  await migrating.drop();
});

it("begins another worker in the place of one that lost its lease", async () => {
  const live = async () =>
    (
      await database.pool.query<{ id: string }>(
        "select id from handrail.worker where lease_expires_at > clock_timestamp()",
      )
    ).rows;
  const [before] = await live();
  await database.pool.query("update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms'");
  await until("Another worker", async () => (await live()).some(({ id }) => id !== before?.id));
  const run = await handrail.start(sum, { numbers: [4] });
  expect((await run.result()).output.total).toBe(4);
});
