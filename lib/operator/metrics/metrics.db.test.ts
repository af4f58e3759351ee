import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { type Db, poolDb } from "../../store/db";
import { anApiWithSignIn } from "../../testing/api/with-sign-in";
import { untilEnded } from "../../testing/database/history";
import { endedRuns } from "../../testing/rows/ended-runs";
import { start, startWorker } from "../../testing/workers/a-worker";
import { countAll } from "../../worker/duties/rollup-loop";
import { MAX_WORKFLOWS } from "./read-metrics";

const METRICS_TOKEN = "metrics-0123456789-abcdefghijklmnopqrs";

type Api = Awaited<ReturnType<typeof anApiWithSignIn>>;
let api: Api;
let db: Db;
let token: string;

beforeAll(async () => {
  api = await anApiWithSignIn({ HANDRAIL_METRICS_TOKEN: METRICS_TOKEN });
  db = poolDb(api.database.pool);
  token = await api.mint(["metrics.read"]);
  await api.database.pool.query(
    "insert into handrail.workflow (name, version, title, masked) values ('orders', 7, 'Orders', '{}'), ('people', 1, 'People', '{name}'), ('quiet', 1, 'Quiet', '{}')",
  );
  await endedRuns(api.database.pool, { workflow: "orders", version: 6, status: "completed", count: 20, ms: 400 });
  await endedRuns(api.database.pool, { workflow: "orders", version: 7, status: "failed", count: 8, ms: 40_000 });
  await endedRuns(api.database.pool, { workflow: "people", version: 1, status: "completed", count: 3, ms: 10 });
  await countAll(db, () => false);
});
afterAll(() => api.close());

async function exposition(query = "", by = token): Promise<string> {
  const response = await api.send("GET", `/v1/metrics${query}`, { headers: { authorization: `Bearer ${by}` } });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return response.text();
}

async function metrics(query = "", by = token): Promise<Map<string, number>> {
  const lines = (await exposition(query, by)).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );
}

describe("metrics", () => {
  it("count what began and ended since the month began, by workflow", async () => {
    const all = await metrics();
    // Starts are counted 15 s behind.
    expect(all.get('handrail_runs_started_total{workflow="orders"}')).toBe(0);
    expect(all.get('handrail_runs_ended_total{workflow="orders",outcome="completed"}')).toBe(20);
    expect(all.get('handrail_runs_ended_total{workflow="orders",outcome="failed"}')).toBe(8);
    expect(all.get('handrail_runs_ended_total{workflow="people",outcome="completed"}')).toBe(3);
  });

  it("are 0, not absent, for a workflow without a run", async () => {
    const all = await metrics();
    expect(all.get('handrail_runs_ended_total{workflow="quiet",outcome="failed"}')).toBe(0);
    expect(all.get('handrail_runs_started_total{workflow="quiet"}')).toBe(0);
    expect(all.get('handrail_run_duration_seconds_count{workflow="quiet"}')).toBe(0);
  });

  it("have exact durations at bounds that the counts keep", async () => {
    const all = await metrics();
    const below = (le: string) => all.get(`handrail_run_duration_seconds_bucket{workflow="orders",le="${le}"}`);
    expect(["0.256", "1.024", "16.384", "65.536", "+Inf"].map(below)).toEqual([0, 20, 20, 28, 28]);
    expect(all.get('handrail_run_duration_seconds_count{workflow="orders"}')).toBe(28);
    const sum = all.get('handrail_run_duration_seconds_sum{workflow="orders"}') as number;
    expect(Math.abs(sum / (20 * 0.4 + 8 * 40) - 1)).toBeLessThan(0.091);
  });

  it("name no step of a workflow that masks fields", async () => {
    const steps = [...(await metrics()).keys()].filter((name) => name.startsWith("handrail_step_executions_total"));
    expect(steps).toEqual(['handrail_step_executions_total{workflow="orders",step="charge"}']);
  });

  it("say what needs a person, what waits, and that nobody works", async () => {
    await api.database.pool.query(
      `insert into handrail.run (id, workflow, version, input, created_at)
       select handrail.new_id(), 'orders', 7, '{}', clock_timestamp() - interval '10 minutes' from generate_series(1, 3)`,
    );
    const all = await metrics();
    expect(all.get('handrail_attention_runs{attention="failed"}')).toBe(8);
    expect(all.get('handrail_attention_runs{attention="outcome_unknown"}')).toBe(0);
    expect(all.get('handrail_backlog_runs{workflow="orders",state="ready"}')).toBe(3);
    expect(all.get('handrail_backlog_oldest_seconds{workflow="orders"}')).toBeGreaterThanOrEqual(600);
    expect(all.get('handrail_workers{state="live"}')).toBe(0);
    expect(all.get("handrail_database_reachable")).toBe(1);
  });

  it("do not call a backlog old that an operator holds", async () => {
    const { pool } = api.database;
    await pool.query(
      "insert into handrail.closed_intake (workflow, holds, closed_by, reason) values ('orders', 'new', 'mia', 'it is down')",
    );
    const all = await metrics();
    await pool.query("delete from handrail.closed_intake");
    expect(all.get('handrail_backlog_runs{workflow="orders",state="ready"}')).toBe(3);
    expect(all.get('handrail_backlog_oldest_seconds{workflow="orders"}')).toBe(0);
  });

  it("know the process: its event loop, its streams and its answers by route, without what addresses hold", async () => {
    await api.as(token, "GET", "/v1/runs/0198c0de-0000-7000-8000-000000000000");
    const all = await metrics();
    expect(all.get("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
    expect(all.get("handrail_streams_open")).toBe(0);
    const route = 'method="GET",route="/v1/runs/{runId}",status="4xx"';
    expect(all.get(`handrail_http_request_duration_seconds_count{${route}}`)).toBe(1);
  });

  it("are of the workflows that the request names, where it names some", async () => {
    const all = await metrics("?workflow=people");
    expect(all.get('handrail_runs_ended_total{workflow="people",outcome="completed"}')).toBe(3);
    expect([...all.keys()].some((name) => name.includes('workflow="orders"'))).toBe(false);
  });

  it("have the duration of a step's last attempt, and say so", async () => {
    let tries = 0;
    const retry = { maxAttempts: 2, initialDelayMs: 500 };
    const workflow = defineWorkflow({ name: "retried", input: z.unknown(), retry }, async (ctx) => {
      await ctx.step("charge", () => {
        if (++tries < 2) throw new Error("Not yet.");
      });
    });
    const worker = await startWorker(api.database, [workflow]);
    await untilEnded(api.database.pool, await start(db, workflow));
    await worker.stop();
    await countAll(db, () => false);
    const all = await metrics("?workflow=retried");
    const of = (name: string) => all.get(`handrail_step_${name}{workflow="retried",step="charge"}`);
    expect([of("retries_total"), of("duration_seconds_count")]).toEqual([1, 1]);
    expect(of("duration_seconds_sum")).toBeLessThan(0.3);
    expect(await exposition("?workflow=retried")).toMatch(/^# HELP handrail_step_duration_seconds .*last attempt/m);
  });

  it("keep their number below what the docs state, however many workflows and names there are", async () => {
    await api.database.pool.query(
      `with w as (insert into handrail.workflow (name, version, title) select 'many-' || n, 1, 'Many' from generate_series(1, 10000) as n returning name),
       counted as (insert into handrail.run_rollup (minutes, at, workflow, version, started)
         select 360, to_timestamp(floor(extract(epoch from clock_timestamp()) / 21600) * 21600), name, 1, 1 from w)
       insert into handrail.rollup_step (workflow, step) select name, 'step-' || s from w, generate_series(1, 20) as s`,
    );
    const all = await metrics();
    const named = new Set([...all.keys()].flatMap((name) => name.match(/workflow="[^"]*"/g) ?? []));
    expect(named.size).toBe(MAX_WORKFLOWS);
    // The first that were registered keep their places.
    expect(all.get('handrail_runs_ended_total{workflow="orders",outcome="completed"}')).toBe(20);
    expect(all.size).toBeLessThan(25_000);
  });

  it("are refused to a token that is bound to workflows", async () => {
    const bound = await api.mint(["viewer"], { workflows: ["orders"] });
    const { status, body } = await api.as(bound, "GET", "/v1/metrics");
    expect([status, body.error.code]).toEqual([403, "forbidden"]);
  });

  it("are those of the process alone while the database is gone, for the token that needs no database", async () => {
    await api.database.pool.query("alter schema handrail rename to away");
    const all = await metrics("", METRICS_TOKEN);
    await api.database.pool.query("alter schema away rename to handrail");
    expect(all.get("handrail_database_reachable")).toBe(0);
    expect([...all.keys()].some((name) => name.startsWith("handrail_workers"))).toBe(false);
    expect(all.get("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
  });

  it("are all that this token is for, and all that one with metrics.read alone opens", async () => {
    for (const by of [METRICS_TOKEN, token])
      for (const path of ["/v1/runs", "/v1/overview", "/v1/workers"]) {
        const { status, body } = await api.as(by, "GET", path);
        expect([path, status, body.error.code]).toEqual([path, 403, "forbidden"]);
      }
    // Those that were made before metrics had a scope.
    expect((await metrics("", await api.mint(["overview.read"]))).size).toBeGreaterThan(0);
  });
});
