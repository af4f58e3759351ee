import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freePort } from "../../scripts/ports";
import type { Logger } from "../log";
import { createTestDatabase, type TestDatabase } from "../testing/database/database";
import { expectInvariants } from "../testing/database/invariants";
import { callWitness } from "../testing/database/witness";
import { until } from "../testing/until";
import { createHandrail, defineWorkflow, type Handrail, type PgTransaction } from "./handrail";
import { WorkerMetrics } from "./worker-metrics";
import { WorkerPort } from "./worker-port";

/** What docs/signals/metrics.md states for a worker, with those of its process. */
const MOST_SERIES = 300;

const mixed = defineWorkflow({ name: "mixed", input: z.object({}) }, async (ctx) => {
  await ctx.step("once", () => 1);
  await ctx.step("twice", ({ attempt }) => (attempt < 2 ? Promise.reject(new Error("not yet")) : attempt), {
    retry: { maxAttempts: 2, initialDelayMs: 1 },
  });
  await ctx.transaction(
    "contended",
    async (tx) => {
      if (conflicts-- > 0) throw Object.assign(new Error("deadlock detected"), { code: "40P01" });
      await tx.query("select 1");
    },
    { client: "pg" },
  );
  await ctx.sleep("a-moment", 20);
  await ctx.step("never", () => Promise.reject(new Error("on purpose")), { retry: { maxAttempts: 1 } });
});
let conflicts = 2;
const named = defineWorkflow(
  { name: "named", input: z.object({ names: z.array(z.string()) }) },
  async (ctx, { names }) => {
    for (const name of names) await ctx.step(name, () => 1);
  },
);

let database: TestDatabase;
let handrail: Handrail<PgTransaction>;

beforeAll(async () => {
  database = await createTestDatabase();
  await callWitness(database.pool);
  handrail = createHandrail({ workflows: [mixed, named], databaseUrl: database.url, name: "metered" });
  await handrail.worker({ concurrency: 7 }).start();
});
afterAll(async () => {
  await handrail.close();
  await expectInvariants(database.pool);
  await database.drop();
});

const read = async (text: Promise<string> | string): Promise<Map<string, number>> => {
  const lines = (await text).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
};
const sum = (all: Map<string, number>, begin: string) =>
  [...all].reduce((total, [name, value]) => (name.startsWith(begin) ? total + value : total), 0);

describe("the metrics of a worker", () => {
  it("count attempts by outcome and number, claims, polls, flushes, heartbeats and conflicts", async () => {
    const run = await handrail.start(mixed, {});
    await expect(run.result()).rejects.toMatchObject({ code: "run_failed" });
    const all = await read(handrail.metrics());
    const attempts = (outcome: string, attempt: string) =>
      all.get(`handrail_worker_attempts_total{outcome="${outcome}",attempt="${attempt}"}`);
    expect([attempts("completed", "1"), attempts("completed", "2"), attempts("completed", "5+")]).toEqual([2, 1, 0]);
    expect([attempts("retry", "1"), attempts("failed", "1")]).toEqual([1, 1]);
    expect(sum(all, "handrail_worker_attempts_total")).toBe(5);
    expect(all.get('handrail_worker_transaction_retries_total{reason="conflict"}')).toBe(2);
    // The sleep ended the first claim, and perhaps the retry did.
    expect(all.get('handrail_worker_claims_total{kind="new"}')).toBe(1);
    expect(all.get('handrail_worker_claims_total{kind="replay"}')).toBeGreaterThanOrEqual(1);
    await until("the end of the last claim", async () => {
      const now = await read(handrail.metrics());
      return now.get('handrail_worker_claims_ended_total{end="failed"}') === 1;
    });
    expect(all.get('handrail_worker_claims_ended_total{end="lost"}')).toBe(0);
    expect(all.get('handrail_worker_polls_total{result="claimed"}')).toBe(all.get("handrail_worker_poll_runs_count"));
    expect(all.get("handrail_worker_flush_duration_seconds_sum")).toBeGreaterThan(0);
    expect(all.get("handrail_worker_flush_records_sum")).toBeGreaterThanOrEqual(5);
    expect(all.get("handrail_worker_heartbeat_duration_seconds_count")).toBeGreaterThanOrEqual(1);
  });

  it("say what is in hand: slots, connections, the age of the lease", async () => {
    const all = await read(handrail.metrics());
    expect(all.get("handrail_worker_process_slots")).toBe(7);
    expect(all.get("handrail_worker_process_slots_used")).toBe(0);
    expect(all.get("handrail_worker_records_waiting")).toBe(0);
    expect(all.get("handrail_worker_lease_seconds")).toBe(4);
    expect(all.get("handrail_worker_lease_age_seconds")).toBeLessThan(4);
    const connections = (pool: string) =>
      ["used", "idle"].reduce(
        (n, s) => n + (all.get(`handrail_worker_connections{pool="${pool}",state="${s}"}`) ?? 0),
        0,
      );
    expect(connections("engine")).toBeGreaterThan(0);
    expect(connections("engine")).toBeLessThanOrEqual(all.get('handrail_worker_connections_max{pool="engine"}') ?? 0);
    expect(all.get('handrail_worker_connection_requests{pool="app"}')).toBe(0);
  });

  it("are as many for a thousand names of steps made from data, and hold none of them", async () => {
    const before = await read(handrail.metrics());
    const names = Array.from({ length: 1_000 }, (_, n) => `person-${n.toString(36)}@example.com`);
    await (await handrail.start(named, { names })).result();
    const text = await handrail.metrics();
    const after = await read(text);
    expect(sum(after, "handrail_worker_attempts_total") - sum(before, "handrail_worker_attempts_total")).toBe(1_000);
    expect([...after.keys()]).toEqual([...before.keys()]);
    expect(text).not.toMatch(/example\.com|named|mixed/);
  });

  it("go on counting when another worker begins in the place of one that lost its lease", async () => {
    const before = await read(handrail.metrics());
    await database.pool.query("update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms'");
    await until("the loss", async () => {
      const now = await read(handrail.metrics());
      return now.get("handrail_worker_leases_lost_total") === 1 && now.get("handrail_worker_process_slots") === 7;
    });
    await (await handrail.start(named, { names: ["one"] })).result();
    const attempts = async () => sum(await read(handrail.metrics()), "handrail_worker_attempts_total");
    expect(await attempts()).toBe(sum(before, "handrail_worker_attempts_total") + 1);
  });
});

describe("the port of a worker", () => {
  const token = "5f0c9ab1e7d24f6083b1c2d3e4f5a6978877665544332211";
  const idle = { slots: 3, used: 1, records: 0, leaseMs: 4_000, isStopping: false };
  const pool = { totalCount: 2, idleCount: 1, waitingCount: 0, options: { max: 6 } };
  const state = { ...idle, silentMs: 10 as number | null, pools: { engine: pool, app: pool, heartbeat: pool } };
  const opened: WorkerPort[] = [];
  afterAll(() => Promise.all(opened.map((port) => port.close())));

  async function open(settings: { metricsToken: string | null; metrics?: WorkerMetrics; port?: number }) {
    const { metricsToken, metrics = new WorkerMetrics(), port = await freePort() } = settings;
    const lines: string[] = [];
    const write = (...said: unknown[]) => void lines.push(said.map(String).join(" "));
    const log: Logger = { debug: write, info: write, warn: write, error: write, fatal: write };
    const one = new WorkerPort({ at: { host: "127.0.0.1", port }, metricsToken, metrics, log });
    opened.push(one);
    one.open();
    const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
    return { one, port, metrics, lines, ask };
  }
  const answers = (ask: (path: string) => Promise<Response>) =>
    until("an answer", async () => (await ask("/api/health/live").catch(() => null))?.status === 200);

  it("serves metrics with the token alone, and health without one", async () => {
    const { ask } = await open({ metricsToken: token });
    await answers(ask);
    const statusWith = async (headers: Record<string, string>) => (await ask("/metrics", { headers })).status;
    expect(await statusWith({})).toBe(401);
    expect(await statusWith({ authorization: `Bearer ${token.slice(1)}0` })).toBe(401);
    expect(await statusWith({ authorization: `Basic ${token}` })).toBe(401);
    const response = await ask("/metrics", { headers: { authorization: `Bearer ${token}` } });
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const all = await read(response.text());
    expect(all.get('handrail_worker_polls_total{result="empty"}')).toBe(0);
    expect(all.get("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThanOrEqual(0);
    expect(all.size).toBeLessThan(MOST_SERIES);
    expect((await ask("/metrics", { method: "POST" })).status).toBe(405);
    expect((await ask("/")).status).toBe(404);
  });

  it("says of several workers the lease of which the largest part has passed", async () => {
    const { ask, metrics } = await open({ metricsToken: null });
    metrics.join(() => ({ ...state, leaseMs: 32_000, silentMs: 7_000 }));
    metrics.join(() => ({ ...state, silentMs: 1_500 }));
    await answers(ask);
    const all = await read((await ask("/metrics")).text());
    expect(all.get("handrail_worker_lease_age_seconds")).toBe(1.5);
    expect(all.get("handrail_worker_lease_seconds")).toBe(4);
  });

  it("is for names of this machine where there is no token", async () => {
    const { ask, port } = await open({ metricsToken: null });
    await answers(ask);
    expect((await ask("/metrics")).status).toBe(200);
    const { status } = await new Promise<{ status: number }>((resolve) =>
      request({ port, path: "/metrics", headers: { host: "rebound.example.com" } }, (response) => {
        resolve({ status: response.statusCode ?? 0 });
        response.resume();
      }).end(),
    );
    expect(status).toBe(401);
  });

  it("is live at once, and ready while the lease holds and nothing stops", async () => {
    const { ask, metrics } = await open({ metricsToken: token });
    await answers(ask);
    const ready = async () => {
      const response = await ask("/api/health/ready");
      return { status: response.status, ...((await response.json()) as object) };
    };
    expect(await ready()).toMatchObject({ status: "unavailable", problems: ["No worker has begun."] });
    const now = { ...state, silentMs: null as number | null };
    const leave = metrics.join(() => now);
    expect((await ask("/api/health/ready")).status).toBe(503);
    now.silentMs = 10;
    expect(await ready()).toEqual({ status: "ok", problems: [] });
    now.silentMs = 5_000;
    expect((await ask("/api/health/ready")).status).toBe(503);
    Object.assign(now, { silentMs: 10, isStopping: true });
    expect(await ready()).toMatchObject({ problems: ["The worker is stopping."] });
    leave();
    expect((await ask("/api/health/live")).status).toBe(200);
  });

  it("is waited for while another worker has it, and says so once", async () => {
    const first = await open({ metricsToken: token });
    await answers(first.ask);
    const second = await open({ metricsToken: token, port: first.port, metrics: new WorkerMetrics() });
    second.metrics.join(() => state);
    await until("a warning", async () => second.lines.some((line) => line.includes("EADDRINUSE")));
    await first.one.close();
    await until("the second", async () => (await second.ask("/api/health/ready").catch(() => null))?.status === 200);
    expect(second.lines.filter((line) => line.includes("EADDRINUSE"))).toHaveLength(1);
  });
});
