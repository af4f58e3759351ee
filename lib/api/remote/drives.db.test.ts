import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { anApi } from "../../testing/api/api";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { driveRequest, driveResponse } from "../contract/drives";

let database: TestDatabase;
let api: Awaited<ReturnType<typeof anApi>>;
beforeAll(async () => {
  database = await createTestDatabase();
  process.env.DATABASE_URL = database.url;
  api = await anApi();
});
afterAll(async () => {
  const { shutdown } = await import("../../shutdown");
  await shutdown();
  await database.drop();
});

const drive = (body: object = {}) => api.ask("POST", "/v1/worker/drives", { body });
const credit = (n: number) =>
  api.ask("POST", "/v1/runs", {
    body: { workflow: "account-credit", input: { accountId: `acc-${n}`, amountCents: 500 } },
  });

it("runs the app's workflows, and answers as the contract says", async () => {
  const started = await Promise.all([1, 2, 3].map(credit));
  const { status, body } = await drive();
  expect(status, JSON.stringify(body)).toBe(200);
  expect(driveResponse.parse(body)).toMatchObject({ completed: 3, ended: 3, handedBack: 0, lost: 0 });
  expect(body.callAgainInMs).toBeLessThanOrEqual(60_000);
  for (const { body: run } of started)
    expect((await api.ask("GET", `/v1/runs/${run.id}`)).body).toMatchObject({ status: "completed" });
});

it("drives the same runs once, however many calls overlap; more than four at once are asked to come later", async () => {
  await Promise.all(Array.from({ length: 50 }, (_, n) => credit(n)));
  const answers = await Promise.all(Array.from({ length: 6 }, () => drive()));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 503, 503]);
  expect(answers.find(({ status }) => status === 503)?.body.error).toMatchObject({ code: "too_busy" });
  const { rows } = await database.pool.query(
    "select count(*)::int as credits from demo.account_entry union all select count(*)::int from handrail.run where status = 'completed'",
  );
  expect(rows.map(({ credits }) => credits)).toEqual([53, 53]);
});

it.each([{ maxMs: 2_999 }, { maxMs: 900_001 }, { maxMs: "soon" }, { forMs: 5_000 }])("refuses %j", async (body) => {
  expect(await drive(body)).toMatchObject({ status: 422, body: { error: { code: "invalid_input" } } });
});

it("the calls in docs/serverless.md are calls", () => {
  const bodies = [...readFileSync("docs/serverless.md", "utf8").matchAll(/-d '([^']+)'/g)].map(([, body]) => body);
  expect(bodies).toHaveLength(2);
  for (const body of bodies) expect(driveRequest.safeParse(JSON.parse(body as string)).success).toBe(true);
});
