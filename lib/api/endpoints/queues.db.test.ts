import { afterAll, beforeAll, expect, it } from "vitest";
import { workflows } from "../../../demo/workflows/index";
import { poolDb } from "../../store/db";
import { registerWorkflows } from "../../store/workers/workers";
import { anApi } from "../../testing/api/api";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";

let database: TestDatabase;
let api: Awaited<ReturnType<typeof anApi>>;
beforeAll(async () => {
  database = await createTestDatabase();
  process.env.DATABASE_URL = database.url;
  await registerWorkflows(poolDb(database.pool), workflows);
  api = await anApi();
});
afterAll(async () => {
  const { shutdown } = await import("../../shutdown");
  await shutdown();
  await database.drop();
});

let keys = 0;
const post = (path: string, body: unknown, key = `queues-${++keys}`) =>
  api.ask("POST", path, { body, headers: { "idempotency-key": key } });
const credit = (accountId: string) => ({ accountId, amountCents: 5 });

it("starts many runs in one request, once", async () => {
  const body = {
    workflow: "account-credit",
    runs: Array.from({ length: 300 }, (_, n) => ({
      input: credit(`many-${n}`),
      idempotencyKey: `many-${n}`,
      delayMs: 60_000,
      priority: n % 5,
    })),
  };
  const first = await post("/v1/runs/batch", body, "many");
  expect(first.status).toBe(201);
  expect(first.body.runs).toHaveLength(300);
  expect((await post("/v1/runs/batch", body, "many")).body).toEqual(first.body);
  const again = await post("/v1/runs/batch", body);
  expect(again.body.runs).toEqual(first.body.runs.map(({ id }: { id: string }) => ({ id, created: false })));
});

it("starts none when one of them is wrong, and says which", async () => {
  const answer = await post("/v1/runs/batch", {
    workflow: "account-credit",
    runs: [{ input: credit("none") }, { input: { accountId: "none" } }],
  });
  expect(answer).toMatchObject({ status: 422, body: { error: { code: "invalid_input", details: { index: 1 } } } });
  const { body } = await api.ask("GET", "/v1/runs?q=none");
  expect(body.runs).toEqual([]);
});

it("refuses an empty batch and one of too many", async () => {
  const input = credit("x");
  for (const runs of [[], Array.from({ length: 10_001 }, () => ({ input }))])
    expect(await post("/v1/runs/batch", { workflow: "account-credit", runs })).toMatchObject({ status: 422 });
});

it("debounces: the second start gives the first one's run, with the new input", async () => {
  const start = (amountCents: number) =>
    post("/v1/runs", {
      workflow: "account-credit",
      input: { accountId: "d", amountCents },
      debounce: { key: "d", delayMs: 60_000 },
    });
  const [first, second] = [await start(1), await start(2)];
  expect([first.status, second.status]).toEqual([201, 200]);
  expect(second.body).toMatchObject({ id: first.body.id, input: { amountCents: 2 } });
});

it("shows and changes the limits of a workflow", async () => {
  const path = "/v1/workflows/profile-image/limits";
  const changed = await post(path, { concurrency: 3, rate: null, reason: "a big import" });
  expect(changed).toMatchObject({
    status: 200,
    body: { limits: { concurrency: 1, keyed: true }, liveLimits: { concurrency: 3 } },
  });
  const { body } = await api.ask("GET", "/v1/workflows");
  expect(body.workflows.find(({ name }: { name: string }) => name === "profile-image")).toMatchObject({
    liveLimits: { concurrency: 3, rate: null },
  });
  expect(await post(path, { concurrency: 0, rate: null, reason: "r" })).toMatchObject({ status: 422 });
  expect(await post(path, { concurrency: 3, rate: null, reason: " " })).toMatchObject({ status: 422 });
  expect(await post(path, { concurrency: null, rate: { limit: 1, perMs: 5 }, reason: "r" })).toMatchObject({
    status: 409,
    body: { error: { code: "not_allowed" } },
  });
  const window = (given: object) =>
    post(path, {
      concurrency: null,
      rate: null,
      window: { from: "22:00", to: "06:00", timeZone: "UTC", ...given },
      reason: "r",
    });
  expect(await window({})).toMatchObject({ status: 409, body: { error: { code: "not_allowed" } } });
  for (const wrong of [{ from: "25:00" }, { to: "22:00" }, { timeZone: "Europe/Nowhere" }, { days: [1] }])
    expect(await window(wrong)).toMatchObject({ status: 422, body: { error: { code: "invalid_input" } } });
  expect((await post(path, { concurrency: null, rate: null, reason: "over" })).body.liveLimits).toBeNull();
});
