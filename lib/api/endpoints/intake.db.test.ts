import { readFileSync } from "node:fs";
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

const post = (path: string, body: unknown) => api.ask("POST", path, { body });

/** Each command of docs/console/intake.md, in its order. */
const commands = [...readFileSync("docs/console/intake.md", "utf8").matchAll(/\$WORKFLOW(\/\S+).*-d '(.+)'/g)].map(
  ([, path, body]) => ({ path: `/v1/workflows/user-sync${path}`, body: JSON.parse(body as string) as unknown }),
);

it("the commands of the page close an intake, hold more, and open it", async () => {
  expect(commands).toHaveLength(3);
  const answers = [];
  for (const { path, body } of commands) answers.push(await post(path, body));
  expect(answers).toMatchObject([
    { status: 200, body: { name: "user-sync", intake: { holds: "new", reason: "failing since version 7" } } },
    { status: 200, body: { intake: { holds: "all", closedBy: "operator" } } },
    { status: 200, body: { intake: null } },
  ]);
});

it("runs are accepted while it is closed, and lists and overview say why they wait", async () => {
  await post("/v1/workflows/account-credit/intake/closure", { reason: "wrong amounts" });
  const started = await post("/v1/runs", { workflow: "account-credit", input: { accountId: "a", amountCents: 5 } });
  expect(started).toMatchObject({ status: 201, body: { status: "pending", heldBy: { reason: "wrong amounts" } } });
  const { body: list } = await api.ask("GET", "/v1/runs?workflow=account-credit");
  expect(list.runs).toMatchObject([{ heldBy: { holds: "new" } }]);
  const { body: overview } = await api.ask("GET", "/v1/overview");
  expect(overview.closedIntakes).toMatchObject([
    { workflow: "account-credit", title: "Account credit", holds: "new", closedBy: "operator", waiting: 1 },
  ]);
});

it("refuses what it cannot do with a code, and changes nothing; the audit has what a rule refused", async () => {
  const rows = async () =>
    (await database.pool.query("select result, code, reason from handrail.audit order by id")).rows as object[];
  const before = await rows();
  const closure = "/v1/workflows/account-credit/intake/closure";
  expect(await post(closure, { reason: "again" })).toMatchObject({
    status: 409,
    body: { error: { code: "not_allowed", message: expect.stringContaining("already paused new runs") } },
  });
  expect(await post(closure, { holds: "some", reason: "x" })).toMatchObject({ status: 422 });
  expect(await post(closure, {})).toMatchObject({ status: 422 });
  expect(await post("/v1/workflows/nobody/intake/opening", { reason: "x" })).toMatchObject({
    status: 404,
    body: { error: { code: "unknown_workflow" } },
  });
  expect(await rows()).toEqual([...before, { result: "denied", code: "not_allowed", reason: "again" }]);
});
