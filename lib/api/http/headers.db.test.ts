import { afterAll, beforeAll, expect, it } from "vitest";
import { anApiWithSignIn } from "../../testing/api/with-sign-in";
import { guarded } from "../../testing/scenes/canary-scene";
import { startWorker } from "../../testing/workers/a-worker";

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
let worker: Awaited<ReturnType<typeof startWorker>>;
let [operator, reader] = ["", ""];
const input = { card: { number: "4242-4242" } };
const headers = { tenant: "acme", "card-number": "9876-5432" };

beforeAll(async () => {
  api = await anApiWithSignIn();
  // The API has no code of it: what it is given goes to the worker, which prepares the start.
  worker = await startWorker(api.database, [guarded]);
  [operator, reader] = [await api.mint(["operator"]), await api.mint(["operator", "payload.read"])];
});
afterAll(async () => {
  await worker.stop();
  await api.close();
});

const start = (given: unknown) =>
  api.as(operator, "POST", "/v1/runs", { body: { workflow: guarded.name, input, headers: given } });
const stored = async (id: string) =>
  (await api.database.pool.query("select headers from handrail.run where id = $1", [id])).rows[0].headers;

it("a start's headers are kept, and shown but for those that its workflow masks", async () => {
  const { status, body } = await start(headers);
  expect(status).toBe(201);
  expect(await stored(body.id)).toEqual(headers);
  expect(body.headers).toEqual({ tenant: "acme", "card-number": "•••" });
  expect((await api.as(reader, "GET", `/v1/runs/${body.id}`)).body.headers).toEqual(body.headers);
  const unmasked = await api.as(reader, "POST", `/v1/runs/${body.id}/unmasking`, { body: { reason: "they asked" } });
  expect(JSON.stringify(unmasked.body)).toContain(headers["card-number"]);
});

it("each start of many has its own", async () => {
  const runs = [{ input, headers }, { input }];
  const { body } = await api.as(operator, "POST", "/v1/runs/batch", { body: { workflow: guarded.name, runs } });
  expect(await stored(body.runs[0].id)).toEqual(headers);
  expect(await stored(body.runs[1].id)).toBeNull();
});

it("a new run in place of another one has its headers", async () => {
  const { body } = await start(headers);
  await api.as(operator, "GET", `/v1/runs/${body.id}/result?waitMs=10000`);
  const plan = { act: "start_again", params: {}, selection: { runIds: [body.id] } };
  const { id: planId, hash } = (await api.as(operator, "POST", "/v1/plans", { body: plan })).body;
  const execution = { body: { hash, reason: "once more" } };
  await api.as(operator, "POST", `/v1/plans/${planId}/executions`, execution);
  const [newest] = (await api.as(operator, "GET", `/v1/runs/${body.id}`)).body.startedAs;
  expect(await stored(newest)).toEqual(headers);
});

it.each([
  [{ Tenant: "acme" }, 400],
  [{ tenant: "a\nb" }, 400],
  [{ tenant: 1 }, 422],
  ["tenant=acme", 422],
  [Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`h${index}`, "1"])), 400],
])("what is no headers is refused, and starts nothing: %j", async (given, status) => {
  const count = async () => (await api.database.pool.query("select count(*) from handrail.run")).rows[0].count;
  const before = await count();
  expect((await start(given)).status).toBe(status);
  expect(await count()).toBe(before);
});
