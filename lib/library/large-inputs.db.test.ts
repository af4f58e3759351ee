import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../engine/workflows/workflow";
import { startAgain } from "../testing/actions";
import { type ApiOnADatabase, anApiOnADatabase } from "../testing/api/api-on-a-database";
import { large, MIB, memoryBlobs } from "../testing/blobs";
import { untilEnded } from "../testing/database/history";
import { aDesk } from "../testing/desk";
import { withPayloadKeys } from "../testing/payload-keys";
import { until } from "../testing/until";
import { startWorker } from "../testing/workers/a-worker";
import { createHandrail } from "./create-handrail";

const store = memoryBlobs();
const seal = withPayloadKeys();
const input = z.object({ text: z.string(), note: z.string().optional() });
const inner = defineWorkflow({ name: "inner", input }, async (_, { text }) => text.length);
const workflow = defineWorkflow(
  { name: "large-input", input, tags: ({ note = "none" }) => ({ note }) },
  async (ctx, { text }) => {
    const length = await ctx.child("inner", inner, { text });
    await ctx.sleep("pause", 1_500);
    return length + text.length;
  },
);
const single = defineWorkflow(
  { name: "large-single", input, singleton: { key: ({ note }) => note ?? "", onConflict: "existing" } },
  async () => 1,
);
const exporting = defineWorkflow({ name: "large-result", input }, async (ctx, { text }) => {
  await ctx.publish("draft", text);
  return text;
});
const workflows = [workflow, inner, single, exporting];
const app = { workflows, blobs: store.blobs, log: undefined };

let on = {} as ApiOnADatabase;
const handrailOf = (blobs = true) =>
  createHandrail({ workflows, databaseUrl: on.database.url, ...(blobs && { blobs: store.blobs }) });
let handrail: ReturnType<typeof handrailOf>;
beforeAll(async () => {
  on = await anApiOnADatabase({ ...(await import("../testing/sample-app")).default, ...app, workflows });
  handrail = handrailOf();
});
afterAll(async () => {
  await handrail.close();
  await on.close();
});
beforeEach(() => {
  store.faults.put = undefined;
  store.faults.get = undefined;
});
const held = async () => (await on.database.pool.query("select run_id::text, held from handrail.blob")).rows;
const endOf = async (id: string) => {
  const worker = await startWorker(on.database, workflows, { blobs: store.blobs });
  const { run } = await untilEnded(on.database.pool, id);
  await worker.stop();
  return run;
};

it("an input over 1 MiB starts a run, and a child of it; the code gets it in each pass", async () => {
  const { id } = await handrail.start(workflow, { text: large("a") });
  expect((await handrail.run(id).status()).input).toEqual({ $type: "blob", size: MIB + 11 });
  expect(await endOf(id)).toMatchObject({ status: "completed", output: 2 * MIB });
  expect((await held()).every((row) => row.held)).toBe(true);
});

it("the same start again gives the same run, another input is a conflict; sealed as well", async () => {
  for (const keys of [[], ["one"], ["two", "one"]]) {
    seal(...keys);
    const how = { idempotencyKey: `again-${keys[0]}` };
    const first = await handrail.start(workflow, { text: large("a") }, how);
    expect(await handrail.start(workflow, { text: large("a") }, how)).toMatchObject({ id: first.id, created: false });
    const conflict = { code: "idempotency_conflict" };
    await expect(handrail.start(workflow, { text: large("b") }, how)).rejects.toMatchObject(conflict);
    await expect(handrail.start(workflow, { text: "a" }, how)).rejects.toMatchObject(conflict);
  }
  // With the key before the current one.
  seal("three", "two", "one");
  expect(await handrail.start(workflow, { text: large("a") }, { idempotencyKey: "again-two" })).toMatchObject({
    created: false,
  });
  seal("three");
  await expect(handrail.start(workflow, { text: large("a") }, { idempotencyKey: "again-two" })).rejects.toMatchObject({
    code: "payload_locked",
  });
});

it("a small start with the key of a large one is a conflict, and so is the reverse", async () => {
  await handrail.start(workflow, { text: "a" }, { idempotencyKey: "small" });
  await expect(handrail.start(workflow, { text: large("a") }, { idempotencyKey: "small" })).rejects.toMatchObject({
    code: "idempotency_conflict",
  });
});

it("in the app's transaction: rolled back, the run is not there, and its blob is left to be deleted", async () => {
  const client = await on.database.pool.connect();
  await client.query("begin");
  const { id } = await handrail.start(workflow, { text: large("t") }, { tx: client });
  await client.query("rollback");
  client.release();
  expect((await held()).filter((row) => row.run_id === id)).toEqual([{ run_id: id, held: false }]);
  await expect(handrail.run(id).status()).rejects.toMatchObject({ code: "unknown_run" });
});

it("of a singleton, the run that lives is joined", async () => {
  const given = { text: large("s"), note: "k" };
  const { id } = await handrail.start(single, given);
  expect(await handrail.start(single, given)).toMatchObject({ id, created: false });
});

it("is refused before anything is written: a debounced start, a store that is down, a process without one", async () => {
  const before = (await on.database.pool.query("select count(*)::int as n from handrail.run")).rows[0].n;
  const given = { text: large("r") };
  await expect(handrail.start(workflow, given, { debounce: { key: "d", delayMs: 10 } })).rejects.toMatchObject({
    code: "value_too_large",
    message: expect.stringMatching(/debounced/),
  });
  store.faults.put = "fails";
  await expect(handrail.start(workflow, given)).rejects.toMatchObject({ code: "blob_unavailable" });
  const without = handrailOf(false);
  await expect(without.start(workflow, given)).rejects.toMatchObject({
    code: "value_too_large",
    message: expect.stringMatching(/blob store/),
  });
  await without.close();
  expect((await on.database.pool.query("select count(*)::int as n from handrail.run")).rows[0].n).toBe(before);
});

it("over HTTP, up to 16 MiB", async () => {
  const start = (text: string) =>
    on.api.ask("POST", "/v1/runs", { body: { workflow: "large-input", input: { text } } });
  const { status, body } = await start(large("h", 3));
  expect(status).toBe(201);
  expect(body.input).toEqual({ $type: "blob", size: 3 * MIB + 11 });
  expect((await on.api.ask("GET", `/v1/runs/${body.id}/value?part=input`)).body.value.text).toHaveLength(3 * MIB);
  expect(await start(large("h", 16))).toMatchObject({ status: 413, body: { error: { code: "body_too_large" } } });
  // No other endpoint takes more than before.
  const event = { name: "x", id: "1", payload: large("h", 3) };
  expect(await on.api.ask("POST", "/v1/events", { body: event })).toMatchObject({ status: 413 });
});

it("a value that does not come from the store is waited for no longer than timeoutMs and the signal say", async () => {
  const { id } = await handrail.start(exporting, { text: large("e") });
  await endOf(id);
  const run = handrail.run(id);
  store.faults.get = "hangs";
  const began = performance.now();
  // More than there are calls at once.
  const late = { code: "wait_timed_out" };
  const waits = Array.from({ length: 5 }, () => expect(run.result({ timeoutMs: 500 })).rejects.toMatchObject(late));
  await Promise.all([...waits, expect(run.published("draft", { timeoutMs: 500 })).rejects.toMatchObject(late)]);
  expect(performance.now() - began).toBeLessThan(5_000);
  const before = store.calls.get;
  const gone = new AbortController();
  const left = expect(run.result({ signal: gone.signal })).rejects.toThrow("gone");
  await until("The get", () => store.calls.get > before);
  gone.abort(new Error("gone"));
  await left;
  store.faults.get = undefined;
  expect((await run.result({ timeoutMs: 0 })).output).toHaveLength(MIB);
});

it("a run with a large input is not started again from the console, with a reason", async () => {
  const { id } = await handrail.start(workflow, { text: large("a") });
  await on.database.pool.query("delete from handrail.blob where not held");
  await endOf(id);
  const desk = { ...aDesk(on.db), code: (await handrail.serving()).code };
  await expect(startAgain(desk, { runId: id, reason: "again" })).rejects.toMatchObject({
    code: "not_allowed",
    message: expect.stringMatching(/blob store/),
  });
});
