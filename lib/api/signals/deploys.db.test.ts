import { afterAll, beforeAll, expect, it } from "vitest";
import { createHttpWorker } from "../../client/http-worker";
import { poolDb } from "../../store/db";
import { startApiServer } from "../../testing/api/api-server";
import { anApiWithSignIn } from "../../testing/api/with-sign-in";
import { aRun } from "../../testing/rows/a-run";
import type { GivenStep } from "../../testing/rows/run-rows";
import { foldAll } from "../../worker/duties/problem-loop";
import { deployListResponse, deploySchema, versionChangesResponse } from "../contract/deploys";
import { flowResponse, workflowFlowResponse } from "../contract/flow";
import { problemDetailSchema } from "../contract/problems";

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
const tokens = { ci: "", orders: "", viewer: "" };
beforeAll(async () => {
  api = await anApiWithSignIn();
  tokens.ci = await api.mint(["deploy.mark"]);
  tokens.viewer = await api.mint(["viewer"]);
  tokens.orders = await api.mint(["viewer"], { workflows: ["order-fulfilment"] });
  await api.database.pool.query(`
    insert into handrail.workflow (name, version, title, four_eyes, registered_at) values
      ('order-fulfilment', 3, 'Orders', '{}', now() - interval '2 days'),
      ('order-fulfilment', 4, 'Orders', '{cancel}', now() - interval '1 hour'),
      ('secret-mails', 1, 'Mails', '{}', now())`);
});
afterAll(() => api.close());

const mark = { version: "1.4.0", commit: "9f3c2d1e00", url: "https://ci.example/7" };
const ask = (token: string, path: string, body?: object) =>
  api.as(token, body ? "POST" : "GET", `/v1${path}`, body && { body });

it("the token of a pipeline marks a deploy and can do nothing else; marked again it is the same", async () => {
  const first = await ask(tokens.ci, "/deploys", { version: "1.4.0", url: mark.url });
  expect(first).toMatchObject({ status: 201, body: { name: "1.4.0", commit: null } });
  const again = await ask(tokens.ci, "/deploys", mark);
  expect(again).toMatchObject({ status: 200, body: { id: first.body.id, name: "9f3c2d1" } });
  deploySchema.parse(again.body);
  for (const wrong of [{ url: mark.url }, { version: "1", url: "javascript:alert(1)" }, { version: " " }])
    expect((await ask(tokens.ci, "/deploys", wrong)).status).toBe(422);
  expect((await ask(tokens.ci, "/deploys")).status).toBe(403);
  expect((await ask(tokens.viewer, "/deploys", mark)).status).toBe(403);
  const listed = await ask(tokens.viewer, "/deploys?limit=1");
  expect(deployListResponse.parse(listed.body)).toMatchObject({ deploys: [again.body], nextCursor: null });
});

it("a problem says after which deploy it began, and shows those of its week; charts show those of their window", async () => {
  const { pool } = api.database;
  await pool.query("update handrail.deploy set at = now() - interval '4 minutes'");
  const runId = await aRun(poolDb(pool)).failedAt("charge-payment");
  await foldAll(poolDb(pool), () => false);
  const { rows } = await pool.query("select problem_id from handrail.problem_run where run_id = $1", [runId]);
  const { body } = await ask(tokens.viewer, `/problems/${rows[0].problem_id}`);
  const problem = problemDetailSchema.parse(body);
  expect(problem).toMatchObject({ deploys: [{ name: "9f3c2d1" }], deployBefore: { url: mark.url } });
  const flow = flowResponse.parse((await ask(tokens.viewer, "/flow?window=1h")).body);
  expect(flow.deploys.map(({ name }) => name)).toEqual(["9f3c2d1"]);
});

it("callers who are bound to workflows learn nothing of the others from a deploy", async () => {
  await api.database.pool.query(`
    insert into handrail.deploy (id, version, workflows)
    select 100 + n, case when n = 1 then '1.5.0' end, '{"secret-mails": [1]}' from generate_series(1, 2) n`);
  for (const path of ["/deploys", "/flow", "/workflows/order-fulfilment/flow"]) {
    const { body } = await ask(tokens.orders, path);
    expect(body.deploys.map(({ name }: { name: string }) => name).sort()).toEqual(["1.5.0", "9f3c2d1"]);
    expect(JSON.stringify(body)).not.toContain("secret-mails");
  }
  workflowFlowResponse.parse((await ask(tokens.orders, "/workflows/order-fulfilment/flow")).body);
  expect((await ask(tokens.orders, "/workflows/secret-mails/changes")).status).toBe(403);
});

it("two versions are compared by what they declare and by the steps that their runs had", async () => {
  const changes = async (query = "") =>
    versionChangesResponse.parse((await ask(tokens.orders, `/workflows/order-fulfilment/changes${query}`)).body);
  expect((await changes()).changes).toMatchObject({
    from: { version: 3 },
    to: { version: 4, runs: 0 },
    steps: null,
    declared: [{ option: "second person for cancel", before: null, after: "yes" }],
  });
  const db = poolDb(api.database.pool);
  const run = async (version: number, steps: GivenStep[]) => {
    const runId = await aRun(db).like({ status: "completed", steps });
    await api.database.pool.query("update handrail.run set version = $2 where id = $1", [runId, version]);
  };
  const done = { status: "completed" } as const;
  await run(3, [
    { name: "charge-payment", ...done },
    { name: "ship-1", ...done },
  ]);
  await run(4, [
    { name: "charge-payment", effect: "once", ...done },
    { name: "check", ...done },
  ]);
  const { changes: found, versions } = await changes();
  expect(versions.map(({ version }) => version)).toEqual([4, 3]);
  expect(found?.steps?.map(({ step: name, change }) => [name, change])).toEqual([
    ["charge-payment", "changed"],
    ["check", "added"],
    ["ship-<n>", "removed"],
  ]);
  expect((await changes("?to=3")).changes).toBeNull();
  expect((await ask(tokens.orders, "/workflows/order-fulfilment/changes?from=9")).status).toBe(404);
});

it("a worker over HTTP marks the deploy of a new build, and one of a build that runs or was the last marks nothing", async () => {
  const token = await api.mint(["worker.work"]);
  const server = await startApiServer(api, { signIn: true });
  const builds = async () => {
    const { rows } = await api.database.pool.query(
      "select build from handrail.deploy where build is not null order by id",
    );
    return rows.map(({ build }) => build);
  };
  const aWorker = async (build?: string) => {
    const worker = createHttpWorker({ url: server.url, token, build });
    worker.workflow({ name: "parcels" }, async () => null);
    await worker.start();
    return worker;
  };
  try {
    const first = await aWorker("9f3c2d1e00");
    const beside = await aWorker("9f3c2d1e00");
    expect(await builds()).toEqual(["9f3c2d1e00"]);
    const rolled = await aWorker("b2");
    const old = await aWorker("9f3c2d1e00");
    const unknown = await aWorker();
    expect(await builds()).toEqual(["9f3c2d1e00", "b2"]);
    const wrong = { name: "x/1", language: "sh", workflows: [{ name: "parcels" }], build: "two words" };
    expect(await ask(token, "/worker/registrations", wrong)).toMatchObject({
      status: 422,
      body: { error: { code: "invalid_input" } },
    });
    await Promise.all([first, beside, rolled, old, unknown].map((worker) => worker.stop()));
    await (await aWorker("b2")).stop();
    expect(await builds()).toEqual(["9f3c2d1e00", "b2"]);
  } finally {
    await server.close();
  }
});

it("a workflow may be named like a property of every object", async () => {
  const token = await api.mint(["worker.work"]);
  const given = { name: "x/2", language: "sh", workflows: [{ name: "constructor" }] };
  expect((await ask(token, "/worker/registrations", given)).status).toBe(201);
  const { rows } = await api.database.pool.query(
    "select workflows from handrail.deploy where workflows ? 'constructor'",
  );
  expect(rows).toEqual([{ workflows: { constructor: [1] } }]);
});
