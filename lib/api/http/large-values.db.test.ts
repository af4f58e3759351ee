import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { createClient } from "../../client/client";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { createHandrail } from "../../library/create-handrail";
import { type ApiOnADatabase, anApiOnADatabase } from "../../testing/api/api-on-a-database";
import { large, MIB, memoryBlobs } from "../../testing/blobs";
import { untilEnded } from "../../testing/database/history";
import sampleApp from "../../testing/sample-app";
import { start, startWorker } from "../../testing/workers/a-worker";
import { valueResponse } from "../contract/steps";

const store = memoryBlobs();
const card = "4111 1111 1111 1111";
const reporting = (name: string, masked: string[]) =>
  defineWorkflow({ name, input: z.object({}), masked }, async (ctx) => {
    const report = await ctx.step("report", () => ({ card, password: "hunter22", pages: large("p") }), {
      effect: "pure",
    });
    await ctx.publish("draft", report.pages);
    return report;
  });
const workflow = reporting("report", []);
const masking = reporting("masked-report", ["card"]);
const workflows = [workflow, masking];
const app = { ...sampleApp, workflows, blobs: store.blobs };

let on = {} as ApiOnADatabase;
let runId = "";
let maskedId = "";
beforeAll(async () => {
  on = await anApiOnADatabase(app);
  [runId, maskedId] = [await start(on.db, workflow), await start(on.db, masking)];
  const worker = await startWorker(on.database, workflows, { blobs: store.blobs });
  await untilEnded(on.database.pool, runId);
  await untilEnded(on.database.pool, maskedId);
  await worker.stop();
});
afterAll(() => on.close());

const value = (query: string, of = runId) => on.api.ask("GET", `/v1/runs/${of}/value?${query}`);

it("a run and a list have placeholders, and never ask the store", async () => {
  const { body } = await on.api.ask("GET", `/v1/runs/${runId}`);
  const size = expect.any(Number);
  expect(body.output).toEqual({ $type: "blob", size });
  expect(body.steps.map(({ output }: { output: unknown }) => output)).toEqual([
    { $type: "blob", size },
    { $type: "blob", size },
  ]);
  const list = await on.api.ask("GET", "/v1/runs");
  const listed = list.body.runs.find(({ id }: { id: string }) => id === runId);
  expect(listed.output).toEqual({ $type: "blob", size });
  expect(store.calls.get).toBe(0);
});

it("a value is loaded by itself, masked as it would be in place", async () => {
  const { status, body } = await value("part=step&step=report&generation=1");
  expect(status).toBe(200);
  expect(valueResponse.safeParse(body).success).toBe(true);
  expect(body).toMatchObject({ runId, workflow: "report", part: "step", step: "report", generation: 1 });
  expect(body.value).toEqual({ card, password: { $type: "masked" }, pages: large("p") });
  expect((await value("part=output")).body.value.password).toEqual({ $type: "masked" });
});

it("of a run whose workflow masks fields, people who may not see them see no text: it may have a value that was not read", async () => {
  for (const part of ["part=step&step=report", "part=step&step=draft", "part=output"]) {
    const { status, body } = await value(part, maskedId);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toMatch(/4111|hunter22|pppp/);
  }
  expect(JSON.stringify((await on.api.ask("GET", `/v1/runs/${maskedId}`)).body)).not.toMatch(/4111|hunter22|pppp/);
});

it("what is not in the store, or not there, is refused, and so is a store that is down", async () => {
  expect(await value("part=input")).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
  expect(await value("part=step&step=nothing")).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
  expect(await value("part=step")).toMatchObject({ status: 400 });
  const nobody = "01890000-0000-7000-8000-000000000000";
  expect(await on.api.ask("GET", `/v1/runs/${nobody}/value?part=output`)).toMatchObject({
    status: 404,
    body: { error: { code: "unknown_run" } },
  });
  store.faults.get = "fails";
  expect(await value("part=output")).toMatchObject({ status: 503, body: { error: { code: "blob_unavailable" } } });
  store.faults.get = undefined;
});

it("the library and the client over HTTP give results and published values whole", async () => {
  const handrail = createHandrail({ ...app, databaseUrl: on.database.url });
  const run = handrail.run<{ pages: string }>(runId);
  expect((await run.result()).output.pages).toHaveLength(MIB);
  expect(await run.published<string>("draft")).toHaveLength(MIB);
  await handrail.close();
  const asked = vi.spyOn(globalThis, "fetch").mockImplementation(async (given, init) => {
    const { pathname, search } = new URL(String(given instanceof Request ? given.url : given));
    return on.api.send(init?.method ?? "GET", pathname.replace(/^\/api/, "") + search);
  });
  const client = createClient({ url: "http://127.0.0.1:3000" }).run(runId);
  expect((await client.result<{ pages: string }>()).output.pages).toHaveLength(MIB);
  expect(await client.published<string>("draft")).toHaveLength(MIB);
  asked.mockRestore();
});
