import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actionsOf, ROLES, type Role } from "../../engine/access/permission";
import { poolDb } from "../../store/db";
import { anApiWithSignIn, bearer } from "../../testing/api/with-sign-in";
import { aRun } from "../../testing/rows/a-run";
import { ENDPOINTS } from "../all-endpoints";
import type { Endpoint } from "../endpoint";

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
let runId: string;
const tokens = {} as Record<Role, string>;
beforeAll(async () => {
  api = await anApiWithSignIn();
  runId = await aRun(poolDb(api.database.pool)).failedAt("charge-payment");
  for (const role of ROLES) tokens[role] = await api.mint([role]);
});
afterAll(() => api.close());

const NOBODY = "01890000-0000-7000-8000-000000000000";

/**
 * An address of the endpoint, and a body that fits none: a permitted request gets its own refusal and changes nothing.
 */
async function statusOf({ method, path }: Endpoint, headers: Record<string, string>): Promise<number> {
  const address = path
    .replace("{runId}", runId)
    .replace("{workerId}", "1")
    .replaceAll(/\{(\w+Id|id)\}/g, NOBODY)
    .replace("{path*}", "payments/faults")
    .replaceAll(/\{\w+\}/g, "nothing");
  const abort = new AbortController();
  const body = method === "GET" ? {} : { body: { nothing: "fits" } };
  const response = await api.send(method, address, { ...body, headers, signal: abort.signal });
  await response.body?.cancel();
  abort.abort();
  return response.status;
}

describe("every endpoint", () => {
  it("identifies its caller, except for probes and the endpoints of signing in", async () => {
    const open: string[] = [];
    for (const endpoint of ENDPOINTS)
      if ((await statusOf(endpoint, {})) !== 401) open.push(`${endpoint.method} ${endpoint.path}`);
    expect(open.sort()).toEqual([
      "GET /health/live",
      "GET /health/ready",
      "GET /v1/openapi.json",
      "GET /v1/session/provider/callback",
      "POST /v1/demo/session",
      "POST /v1/session",
      "POST /v1/session/provider",
      "POST /v1/set-up",
    ]);
  });
});

it("role × endpoint: 403 exactly where the table says no", async () => {
  const counts = { let: 0, refused: 0 };
  const wrong: string[] = [];
  for (const role of ROLES)
    for (const endpoint of ENDPOINTS) {
      const { action } = endpoint;
      const expected = action === "public" || action === "self" || actionsOf([role]).has(action);
      const status = await statusOf(endpoint, bearer(tokens[role]));
      // A token has no sessions: the refusal there does not depend on its role.
      const allowed = endpoint.path.startsWith("/v1/sessions") && status === 403 ? expected : status !== 403;
      if (allowed !== expected || status === 401) wrong.push(`${role} ${endpoint.method} ${endpoint.path}: ${status}`);
      counts[expected ? "let" : "refused"] += 1;
    }
  expect(wrong).toEqual([]);
  process.stdout.write(`permission matrix: ${counts.let} let in, ${counts.refused} refused, ${ROLES.length} roles\n`);
  expect(counts.let + counts.refused).toBe(ROLES.length * ENDPOINTS.length);
});

it("a refused mutation leaves a row in the audit with its caller; a refused read does not", async () => {
  await api.as(tokens.viewer, "POST", `/v1/runs/${runId}/reruns`, { body: { reason: "let me" } });
  const { rows } = await api.database.pool.query(
    `select actor, actor_kind, act, result, code from handrail.audit where run_id = $1 and act = 'rerun' order by id desc limit 1`,
    [runId],
  );
  expect(rows).toEqual([{ actor: "viewer", actor_kind: "token", act: "rerun", result: "denied", code: "forbidden" }]);
  const { rows: reads } = await api.database.pool.query("select from handrail.audit where act = 'read'");
  expect(reads).toEqual([]);
});

describe("a token that is bound to a workflow", () => {
  it("reads and acts on that workflow, and finds nothing of another", async () => {
    const own = await api.mint(["operator"], { workflows: ["order-fulfilment"] });
    const other = await api.mint(["operator", "worker.work"], { workflows: ["user-sync"] });
    expect((await api.as(own, "GET", `/v1/runs/${runId}`)).status).toBe(200);
    expect((await api.as(own, "GET", "/v1/runs")).body.runs).toHaveLength(1);
    expect((await api.as(other, "GET", "/v1/runs")).body.runs).toHaveLength(0);
    const rerun = { body: { reason: "mine?" } };
    for (const [method, path, asking] of [
      ["GET", `/v1/runs/${runId}`, {}],
      ["GET", `/v1/runs/${runId}/logs`, {}],
      ["GET", `/v1/runs/${runId}/children`, {}],
      ["GET", `/v1/runs/${runId}/result?waitMs=1`, {}],
      ["GET", "/v1/runs?workflow=order-fulfilment", {}],
      ["GET", "/v1/overview", {}],
      ["POST", `/v1/runs/${runId}/reruns`, rerun],
      ["POST", "/v1/runs", { body: { workflow: "order-fulfilment", input: {} } }],
      ["POST", "/v1/events", { body: { name: "x", payload: null, key: "k" } }],
      ["POST", `/v1/worker/runs/${runId}/handback`, { body: { epoch: 1 } }],
      [
        "POST",
        "/v1/worker/registrations",
        { body: { name: "w", language: "go", workflows: [{ name: "order-fulfilment" }] } },
      ],
    ] as const)
      expect(await api.as(other, method, path, asking), `${method} ${path}`).toMatchObject({ status: 403 });
    expect((await api.as(own, "POST", `/v1/runs/${runId}/reruns`, rerun)).status).toBe(202);
  });

  it("pages through a run's children without a word of those of other workflows", async () => {
    const own = await api.mint(["operator"], { workflows: ["order-fulfilment"] });
    const { pool } = api.database;
    const completed = () => aRun(poolDb(pool)).completed();
    const [parent, first, second, another] = [
      await completed(),
      await completed(),
      await completed(),
      await completed(),
    ];
    for (const [index, id] of [first, second, another].entries())
      await pool.query(
        "update handrail.run set parent_run_id = $1, parent_step = $2, parent_key_generation = 1 where id = $3",
        [parent, `child-${index}`, id],
      );
    await pool.query("update handrail.run set workflow = 'user-sync' where id = $1", [another]);
    const seen: string[] = [];
    for (let cursor = ""; ; ) {
      const { status, body } = await api.as(own, "GET", `/v1/runs/${parent}/children?limit=1${cursor}`);
      expect([status, body.runs.length]).toEqual([200, 1]);
      seen.push(body.runs[0].id);
      if (body.nextCursor === null) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(seen).toEqual([second, first]);
  });
});

describe("a schedule made at run time", () => {
  const path = "/v1/schedules/of-orders";
  const inputs = {
    "order-fulfilment": { orderId: "A-1", amountCents: 100, email: "a@b.example" },
    "user-sync": {},
  };
  const put = (token: string, workflow: keyof typeof inputs) =>
    api.as(token, "PUT", path, { body: { workflow, everyMs: 3_600_000, input: inputs[workflow], reason: "weekly" } });

  it("is made, changed and removed by who may do that for its workflow", async () => {
    const own = await api.mint(["operator"], { workflows: ["order-fulfilment"] });
    const other = await api.mint(["operator"], { workflows: ["user-sync"] });
    expect(await put(other, "order-fulfilment")).toMatchObject({ status: 403 });
    expect(await put(tokens.viewer, "order-fulfilment")).toMatchObject({ status: 403 });
    expect(await put(own, "order-fulfilment")).toMatchObject({ status: 201 });
    // Named by its own workflow, another one's schedule stays what it is.
    expect(await put(other, "user-sync")).toMatchObject({ status: 403 });
    const removal = { body: { reason: "not mine" } };
    expect(await api.as(other, "POST", `${path}/removal`, removal)).toMatchObject({ status: 403 });
    expect((await api.as(own, "GET", path)).body).toMatchObject({ workflow: "order-fulfilment", revision: 0 });
    expect(await api.as(own, "POST", `${path}/removal`, removal)).toMatchObject({ status: 200 });
  });
});

it("an action's answer shows the actions open to the caller, as a read does", async () => {
  const token = await api.mint(["run.read", "run.pause"]);
  const closed = (body: { acts: { act: string; because: string | null }[] }) =>
    body.acts.filter(({ because }) => because?.startsWith("You may not")).map(({ act }) => act);
  expect(closed((await api.as(tokens.admin, "GET", `/v1/runs/${runId}`)).body)).toEqual([]);
  const paused = await api.as(token, "POST", `/v1/runs/${runId}/pause`, { body: { reason: "wait" } });
  expect(paused.status).toBeLessThan(300);
  expect(closed(paused.body)).toContain("cancel");
  expect(closed(paused.body)).not.toContain("pause");
  expect(closed((await api.as(token, "GET", `/v1/runs/${runId}`)).body)).toEqual(closed(paused.body));
});
