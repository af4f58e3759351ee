import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { z } from "zod";
import { prepareEvent } from "../../engine/events/prepare-event";
import { defineWorkflow } from "../../library/handrail";
import { poolDb } from "../../store/db";
import { sendEvent } from "../../store/events/send-event";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { fileText, snippetsOf } from "../../testing/doc-snippets";
import { TestEngine } from "../../testkit/test-engine";
import { verifyWorkflow } from "../../verify/verify";

const input = z.object({ customerId: z.string() });

const creditCheck = defineWorkflow({ name: "credit-check", input }, async (ctx) => {
  const { limitCents } = await ctx.waitForEvent("rating", {
    event: "credit.rated",
    schema: z.object({ limitCents: z.number() }),
  });
  return { limitCents };
});

const openAccount = defineWorkflow({ name: "open-account", input }, async (ctx, { customerId }) => {
  try {
    return await ctx.child("credit", creditCheck, { customerId }, { timeout: "10m" });
  } catch (error) {
    if ((error as { code?: string }).code !== "child_timed_out") throw error;
    return { limitCents: 0 };
  }
});

let database: TestDatabase;
let engine: TestEngine;
beforeAll(async () => {
  database = await createTestDatabase();
  await callWitness(database.pool);
  engine = await TestEngine.start({ databaseUrl: database.url, workflows: [creditCheck, openAccount] });
});
afterAll(async () => {
  await engine.stop();
  await expectInvariants(database.pool);
  await database.drop();
});

const childOf = async (runId: string) =>
  (await database.pool.query<{ id: string }>("select id::text from handrail.run where parent_run_id = $1", [runId]))
    .rows[0]?.id as string;

it("this file has the page's snippet of a timeout", () => {
  const [, snippet = ""] = snippetsOf("children.md");
  const [, code = ""] = snippet.split('from"handrail";');
  expect(code).toContain("timeout");
  expect(fileText(import.meta.url)).toContain(code.replaceAll("export", ""));
});

it("time that is let pass ends the wait for a child when its timeout is over, and not earlier", async () => {
  const runId = await engine.start(openAccount, { customerId: "c-1" });
  await engine.advance("9m");
  expect(await engine.run(runId)).toMatchObject({ status: "waiting", waitingFor: { kind: "child" } });
  await engine.advance("1m");
  expect(await engine.run(runId)).toMatchObject({ status: "completed", output: { limitCents: 0 } });
  expect((await engine.run(await childOf(runId))).status).toBe("cancelled");
});

it("a child that ends before then gives its output", async () => {
  const runId = await engine.start(openAccount, { customerId: "c-2" });
  await engine.advance("9m");
  const rated = await prepareEvent("credit.rated", { limitCents: 500 }, { runId: await childOf(runId) });
  await sendEvent(poolDb(database.pool), rated);
  await engine.advance("1h");
  expect(await engine.run(runId)).toMatchObject({ status: "completed", output: { limitCents: 500 } });
});

it("a worker that dies over the cancel is no difference", async () => {
  const runId = await engine.start(openAccount, { customerId: "c-3" });
  engine.dieAt("transaction:before-commit", "credit");
  await engine.advance("10m");
  expect(await engine.run(runId)).toMatchObject({ status: "completed", output: { limitCents: 0 } });
  const { rows } = await database.pool.query("select from handrail.audit where actor = $1", [`run ${runId}`]);
  expect(rows).toHaveLength(1);
});

it("a worker that dies at any boundary of the parent and of the child changes nothing", {
  timeout: 300_000,
}, async () => {
  const world = () => ({ services: {}, observe: () => ({}) });
  const inputs = [{ customerId: "c-4" }];
  const report = await verifyWorkflow(openAccount, { databaseUrl: inject("postgresUrl"), inputs, world });
  expect(report.findings).toEqual([]);
  const points = report.trials.flatMap(({ faults }) => faults.map((fault) => "point" in fault && fault.point));
  expect(points).toEqual(expect.arrayContaining(["transaction:before-commit", "transaction:after-commit"]));
});
