import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { OWN_WORKFLOWS } from "../../engine/workflows/own-workflows";
import { type Db, poolDb } from "../../store/db";
import { anApiWithSignIn } from "../../testing/api/with-sign-in";
import { fileText, snippetsOf } from "../../testing/doc-snippets";
import { endedRuns } from "../../testing/rows/ended-runs";
import { countAll } from "../../worker/duties/rollup-loop";
import * as endpoints from "../endpoints";

type Api = Awaited<ReturnType<typeof anApiWithSignIn>>;
let api: Api;
let db: Db;
let all: string;
let bound: string;

beforeAll(async () => {
  api = await anApiWithSignIn();
  db = poolDb(api.database.pool);
  all = await api.mint(["viewer"]);
  bound = await api.mint(["viewer"], { workflows: ["orders"] });
  await api.database.pool.query("insert into handrail.workflow (name, version, title) values ('orders', 7, 'Orders')");
  await endedRuns(api.database.pool, { workflow: "orders", version: 6, status: "completed", count: 20, ms: 400 });
  await endedRuns(api.database.pool, { workflow: "orders", version: 7, status: "completed", count: 2, ms: 4_000 });
  await endedRuns(api.database.pool, { workflow: "orders", version: 7, status: "failed", count: 8, ms: 4_000 });
  await endedRuns(api.database.pool, { workflow: "mails", version: 1, status: "completed", count: 3, ms: 10 });
  for (const workflow of OWN_WORKFLOWS)
    await endedRuns(api.database.pool, { workflow, version: 1, status: "completed", count: 5, ms: 10 });
  await countAll(db, () => false);
});
afterAll(() => api.close());

// As docs/console/overview-and-metrics.md has it.
async function failureRatio(url: string, token: string, workflow: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api/v1/flow?window=15m&workflow=${workflow}`, { headers });
  const { totals } = await response.json();
  const ended = totals.completed + totals.failed;
  return ended === 0 ? 0 : totals.failed / ended;
}

it("the page's snippets are what runs here", async () => {
  const [snippet] = snippetsOf("console/overview-and-metrics.md");
  expect(fileText(import.meta.url)).toContain(snippet);
  vi.stubGlobal("fetch", async (url: string, { headers }: { headers: { authorization: string } }) => {
    const token = headers.authorization.replace("Bearer ", "");
    return Response.json(await get(token, url.replace("http://handrail.test/api", "")));
  });
  expect(await failureRatio("http://handrail.test", bound, "orders")).toBeCloseTo(8 / 30);
  vi.unstubAllGlobals();
  const [sql] = [
    ...readFileSync(new URL("../../../docs/console/overview-and-metrics.md", import.meta.url), "utf8").matchAll(
      /```sql\n(.*?)```/gs,
    ),
  ];
  const { rows } = await api.database.pool.query(sql?.[1] ?? "");
  expect(rows).toContainEqual({ workflow: "orders", completed: "22", failed: "8" });
});

const get = async (who: string, path: string) => {
  const { status, body } = await api.as(who, "GET", path);
  expect(status).toBe(200);
  return body;
};

describe("the flow of runs", () => {
  it.each(["15m", "1h", "6h", "24h", "7d", "30d"])("answers for %s, by the contract", async (window) => {
    const flow = endpoints.getFlow.answer.parse(await get(all, `/v1/flow?window=${window}`));
    expect(flow.totals).toMatchObject({ completed: 25, failed: 8, retries: 33 });
    expect(flow.points.reduce((sum, point) => sum + point.completed, 0)).toBe(25);
    expect(flow.points).toHaveLength((Date.parse(flow.until) - Date.parse(flow.from)) / flow.pointMs);
    expect(flow.workflows.map(({ workflow, title }) => [workflow, title])).toEqual([
      ["orders", "Orders"],
      ["mails", "mails"],
    ]);
    expect(flow).toMatchObject({ beforeIsWhole: false, heldBack: false, before: { completed: 0 } });
    expect(Date.parse(flow.countedUntil ?? "")).toBeGreaterThan(Date.parse(flow.countedSince ?? ""));
  });

  it("of everything is of the app's workflows; those of Handrail are counted where they are asked for", async () => {
    const { totals, workflows } = await get(all, "/v1/flow");
    expect(totals.completed).toBe(25);
    expect(workflows.map(({ workflow }: { workflow: string }) => workflow)).not.toContain("handrail.delivery");
    expect((await get(all, "/v1/flow?workflow=handrail.delivery")).totals.completed).toBe(5);
  });

  it("has percentiles of the whole window, within the bound of the buckets", async () => {
    const { totals } = await get(all, "/v1/flow?window=1h&workflow=orders");
    expect(totals.p50Ms).toBeGreaterThan(400 / 1.1);
    expect(totals.p50Ms).toBeLessThan(400 * 1.1);
    expect(totals.p95Ms).toBeGreaterThan(4_000 / 1.1);
    expect(totals.queuedP50Ms).toBeGreaterThan(500 / 1.1);
  });

  it("of one workflow has its versions and steps, and the version it fails since", async () => {
    const flow = endpoints.getWorkflowFlow.answer.parse(await get(all, "/v1/workflows/orders/flow"));
    expect(flow.failingSince).toBe(7);
    expect(flow.versions.map(({ version, totals }) => [version, totals.completed, totals.failed])).toEqual([
      [7, 2, 8],
      [6, 20, 0],
    ]);
    expect(flow.steps).toMatchObject([
      {
        step: "charge",
        executions: 30,
        failures: 8,
        retries: 30,
        versions: [{ version: 7, failures: 8 }, { version: 6 }],
      },
    ]);
    expect(flow.steps[0]?.p95Ms).toBeGreaterThan(2_000 / 1.1);
    expect(await api.as(all, "GET", "/v1/workflows/nothing/flow")).toMatchObject({ status: 404 });
  });

  it("shows callers bound to some workflows these alone", async () => {
    const flow = await get(bound, "/v1/flow");
    expect(flow.workflows.map(({ workflow }: { workflow: string }) => workflow)).toEqual(["orders"]);
    expect(flow.totals).toMatchObject({ completed: 22 });
    expect(await api.as(bound, "GET", "/v1/flow?workflow=mails")).toMatchObject({ status: 403 });
    expect(await api.as(bound, "GET", "/v1/workflows/mails/flow")).toMatchObject({ status: 403 });
  });

  it("refuses unknown windows", async () => {
    expect(await api.as(all, "GET", "/v1/flow?window=2h")).toMatchObject({ status: 400 });
  });

  it("says so while a transaction holds the count back", async () => {
    const client = await api.database.pool.connect();
    try {
      await client.query("begin");
      await client.query("update handrail.run set tags = null where id = (select id from handrail.run limit 1)");
      await countAll(db, () => false);
      const { heldBack, countedUntil } = await get(all, "/v1/flow");
      expect(heldBack).toBe(true);
      const database = endpoints.getDatabaseHealth.answer.parse(await get(all, "/v1/database"));
      expect(database.oldestTransaction).toMatchObject({ hasWrittenRuns: true });
      await client.query("rollback");
      await countAll(db, () => false);
      expect(Date.parse((await get(all, "/v1/flow")).countedUntil)).toBeGreaterThan(Date.parse(countedUntil));
    } finally {
      client.release();
    }
  });
});

it("after a time without runs the counts are zero, and not missing", async () => {
  await api.database.pool.query("delete from handrail.run_rollup");
  await api.database.pool.query(
    `insert into handrail.run_rollup (minutes, at, workflow, version, completed)
     select 360, date_bin('6 hours', clock_timestamp() - interval '3 days', 'epoch'), 'orders', 7, 1`,
  );
  for (const window of ["15m", "1h", "6h", "24h"]) {
    const { from, countedSince, beforeIsWhole, totals } = await get(all, `/v1/flow?window=${window}`);
    expect(Date.parse(countedSince), window).toBeLessThanOrEqual(Date.parse(from));
    expect({ beforeIsWhole, completed: totals.completed }, window).toEqual({ beforeIsWhole: true, completed: 0 });
  }
  expect(await get(all, "/v1/flow?window=7d")).toMatchObject({ beforeIsWhole: false });
});

it("the database's health has a finding of each kind", async () => {
  const database = endpoints.getDatabaseHealth.answer.parse(await get(bound, "/v1/database"));
  expect(database.findings.map(({ what }) => what)).toEqual([
    ...["transaction", "vacuum", "connections", "leases", "wraparound"],
  ]);
  expect(database).toMatchObject({ heartbeatLagMs: null, leaseOverdueMs: null });
  expect(database.tables).toHaveLength(6);
  expect(database.bytes).toBeGreaterThan(0);
});
