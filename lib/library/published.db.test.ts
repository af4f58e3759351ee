import { afterAll, beforeAll, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { createTestDatabase, type TestDatabase } from "../testing/database/database";
import { expectInvariants } from "../testing/database/invariants";
import { callWitness } from "../testing/database/witness";
import { createHandrail, defineWorkflow, type Handrail, type PgTransaction } from "./handrail";

const input = z.object({});
const quoting = defineWorkflow({ name: "quoting", input }, async (ctx) => {
  await ctx.waitForEvent("wait", { event: "ask" });
  const price = await ctx.step("price", () => ({ cents: 4900, until: new Date("2030-01-01T00:00:00Z") }));
  await ctx.publish("quote", price);
  await ctx.waitForEvent("accepted", { event: "accept" });
});
const twice = defineWorkflow({ name: "publishes-twice", input }, async (ctx) => {
  await ctx.publish("status", "paid");
  await ctx.publish("status", "shipped");
});
const large = defineWorkflow({ name: "publishes-too-much", input }, async (ctx) =>
  ctx.publish("blob", "x".repeat(1_100_000)),
);
const nothing = defineWorkflow({ name: "publishes-nothing", input }, async (ctx) => {
  await ctx.publish("empty", undefined);
});

let database: TestDatabase;
let handrail: Handrail<PgTransaction>;
beforeAll(async () => {
  database = await createTestDatabase();
  await callWitness(database.pool);
  handrail = createHandrail({ workflows: [quoting, twice, large, nothing], databaseUrl: database.url });
  await handrail.worker({ concurrency: 5 }).start();
});
afterAll(async () => {
  await handrail.close();
  await expectInvariants(database.pool);
  await database.drop();
});

it("a published value reaches those who wait, decoded, while the run goes on", async () => {
  const run = await handrail.start(quoting, {});
  const early = run.published<{ cents: number; until: Date }>("quote", { timeoutMs: 30_000 });
  await expect(run.published("quote", { timeoutMs: 50 })).rejects.toMatchObject({
    code: "wait_timed_out",
    message: expect.stringMatching(/has not published "quote" within 50 ms: it is (pending|running|waiting)\./),
  });
  await run.send("ask", null);
  const quote = await early;
  expect(quote).toEqual({ cents: 4900, until: new Date("2030-01-01T00:00:00Z") });
  expectTypeOf(quote.until).toEqualTypeOf<Date>();
  expect((await run.status()).finishedAt).toBeNull();
  expect(await handrail.run(run.id).published("quote")).toEqual(quote);
  await run.send("accept", null);
  await run.result();
  expect(await run.published("quote")).toEqual(quote);
});

it("what is never published is an error once the run has ended, and of a run that does not exist at once", async () => {
  const run = await handrail.start(nothing, {});
  const never = run.published("quote");
  await expect(never).rejects.toMatchObject({
    code: "not_found",
    message: "The run has ended (completed) and published nothing under this name.",
  });
  expect(await run.published("empty")).toBeUndefined();
  const nobody = handrail.run("00000000-0000-7000-8000-000000000000");
  await expect(nobody.published("quote")).rejects.toMatchObject({ code: "unknown_run" });
});

it("a step of another kind is not published by its name", async () => {
  const run = await handrail.start(quoting, {});
  await run.send("ask", null);
  await run.published("quote");
  await expect(run.published("price", { timeoutMs: 20 })).rejects.toMatchObject({ code: "wait_timed_out" });
  await run.cancel();
});

it("a name is published once, and a value has the bounds of an output", async () => {
  const run = await handrail.start(twice, {});
  await expect(run.result()).rejects.toMatchObject({ cause: { code: "duplicate_step" } });
  expect(await run.published("status")).toBe("paid");
  await expect((await handrail.start(large, {})).result()).rejects.toMatchObject({
    cause: { code: "value_too_large" },
  });
});

it("a value that a rerun has superseded is published no longer", async () => {
  const { rows } = await database.pool.query(
    "select id::text from handrail.run where workflow = $1 and status = 'completed'",
    [quoting.name],
  );
  const run = handrail.run(rows[0].id);
  const before = await run.published("quote");
  await database.pool.query(
    "update handrail.step set superseded_by = 2, next_key_generation = 1 where run_id = $1 and name = 'quote'",
    [run.id],
  );
  await expect(run.published("quote", { timeoutMs: 20 })).rejects.toMatchObject({ code: "not_found" });
  await database.pool.query(
    "update handrail.step set superseded_by = null, next_key_generation = null where run_id = $1 and name = 'quote'",
    [run.id],
  );
  expect(await run.published("quote")).toEqual(before);
});
