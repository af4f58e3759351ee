import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { hashOf } from "../access/secret";
import type { Scope } from "../engine/access/permission";
import { createHandrail, defineEvent, defineWorkflow, type Handrail, type PgTransaction } from "../library/handrail";
import { insertToken } from "../store/access/tokens";
import { poolDb } from "../store/db";
import { createTestDatabase, type TestDatabase } from "../testing/database/database";
import type { HttpOptions } from "./app-api";
import { expressHandler } from "./express";
import { fastifyPlugin } from "./fastify";
import { honoHandler } from "./hono";
import { nextHandlers } from "./next";

const paid = defineEvent({ name: "paid", payload: z.object({ cents: z.number() }) });
const order = defineWorkflow(
  { name: "order", input: z.object({ orderId: z.string().min(1) }), events: [paid] },
  async (ctx, { orderId }) => {
    const { cents } = await ctx.waitForEvent("paid", { event: paid, key: orderId });
    return { orderId, cents };
  },
);
const SECRET = "a-token-of-the-tests-that-is-long-enough";

let database: TestDatabase;
let handrail: Handrail<PgTransaction>;

beforeAll(async () => {
  database = await createTestDatabase();
  await insertToken(poolDb(database.pool), {
    id: crypto.randomUUID(),
    name: "shop",
    tokenHash: hashOf(SECRET),
    scopes: ["run.start", "run.read", "event.send", "worker.drive"],
    workflows: null,
    createdBy: "the tests",
    livesMs: 3_600_000,
  });
  handrail = createHandrail({ workflows: [order], databaseUrl: database.url });
  await handrail.worker({ concurrency: 5 }).start();
});
afterAll(async () => {
  await handrail.close();
  await database.drop();
});

interface Site {
  url: string;
  stop(): Promise<unknown>;
}
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const listening = (server: Server) => new Promise<void>((resolve) => server.once("listening", resolve));
const stopping = (server: Server) => () => new Promise((resolve) => server.close(resolve));

/** Each as its own documentation starts it. */
const SERVERS: Record<string, (options?: HttpOptions) => Promise<Site>> = {
  express: async (options) => {
    const server = express().use("/handrail", expressHandler(handrail, options)).listen(0, "127.0.0.1");
    await listening(server);
    return { url: `${addressOf(server)}/handrail`, stop: stopping(server) };
  },
  "express behind express.json()": async (options) => {
    const app = express().use(express.json()).use("/api/handrail", expressHandler(handrail, options));
    const server = app.listen(0, "127.0.0.1");
    await listening(server);
    return { url: `${addressOf(server)}/api/handrail`, stop: stopping(server) };
  },
  fastify: async (options) => {
    const app = fastify();
    app.post("/echo", async (request) => request.body);
    await app.register(fastifyPlugin(handrail, options), { prefix: "/internal/handrail" });
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    const echoed = await fetch(`${url}/echo`, { method: "POST", headers: JSON_TYPE, body: '{"own":"parser"}' });
    expect(await echoed.json()).toEqual({ own: "parser" });
    return { url: `${url}/internal/handrail`, stop: () => app.close() };
  },
  hono: async (options) => {
    const app = new Hono().route("/api", new Hono().all("/handrail/*", honoHandler(handrail, options)));
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
    await listening(server);
    return { url: `${addressOf(server)}/api/handrail`, stop: stopping(server) };
  },
};

const JSON_TYPE = { "content-type": "application/json" };
const WITH_TOKEN = { ...JSON_TYPE, authorization: `Bearer ${SECRET}` };

const post = (url: string, body: unknown, headers: Record<string, string> = WITH_TOKEN) =>
  fetch(url, { method: "POST", headers, body: JSON.stringify(body) });

describe.each(Object.keys(SERVERS))("%s", (name) => {
  let site: Site;
  beforeAll(async () => {
    site = await (SERVERS[name] as () => Promise<Site>)();
  });
  afterAll(() => site.stop());

  it("starts a run, sends it an event, and waits for its result", async () => {
    const orderId = `${name} 1`;
    const started = await post(`${site.url}/v1/runs`, { workflow: "order", input: { orderId } });
    const { id } = (await started.json()) as { id: string };
    expect(started.status).toBe(201);
    expect((await post(`${site.url}/v1/events`, { name: "paid", key: orderId, payload: { cents: 7 } })).status).toBe(
      202,
    );
    const result = await fetch(`${site.url}/v1/runs/${id}/result?waitMs=20000`, { headers: WITH_TOKEN });
    expect(result.status).toBe(200);
    expect(await result.json()).toMatchObject({ id, status: "completed", output: { orderId, cents: 7 } });
  });

  it("starts once for one Idempotency-Key", async () => {
    const headers = { ...WITH_TOKEN, "idempotency-key": `${name} 2` };
    const start = () => post(`${site.url}/v1/runs`, { workflow: "order", input: { orderId: `${name} 2` } }, headers);
    const [first, again] = [await start(), await start()];
    expect(((await again.json()) as { id: string }).id).toBe(((await first.json()) as { id: string }).id);
  });

  it("drives runs where no worker can stay", async () => {
    const driven = await post(`${site.url}/v1/worker/drives`, { maxMs: 3_000 });
    expect(driven.status).toBe(200);
    expect(await driven.json()).toMatchObject({ ended: expect.any(Number) });
  });

  it("refuses in the words of the API", async () => {
    const refused = async (response: Response) => [response.status, (await response.json()).error.code];
    expect(await refused(await post(`${site.url}/v1/runs`, { workflow: "order", input: {} }))).toEqual([
      422,
      "invalid_input",
    ]);
    expect(await refused(await post(`${site.url}/v1/runs`, { workflow: "order" }, JSON_TYPE))).toEqual([
      401,
      "unauthenticated",
    ]);
    expect(await refused(await fetch(`${site.url}/v1/audit`, { headers: WITH_TOKEN }))).toEqual([404, "not_found"]);
    expect(await refused(await fetch(`${site.url}/v1/events`, { headers: WITH_TOKEN }))).toEqual([
      405,
      "method_not_allowed",
    ]);
    const foreign = { ...WITH_TOKEN, origin: "https://elsewhere.example" };
    expect(await refused(await post(`${site.url}/v1/runs`, { workflow: "order" }, foreign))).toEqual([
      400,
      "invalid_request",
    ]);
    const session = { ...JSON_TYPE, cookie: "handrail-session=anything" };
    expect((await post(`${site.url}/v1/runs`, { workflow: "order" }, session)).status).toBe(401);
  });
});

describe("an app that says itself who is asking", () => {
  let site: Site;
  const users: Record<string, readonly Scope[]> = {
    anna: ["run.start"],
    berta: ["run.read"],
    dora: ["run.read"],
    "worker 1": ["worker.work"],
    "worker 2": ["worker.work"],
    "": ["admin"],
  };
  beforeAll(async () => {
    site = await (SERVERS.hono as (options: HttpOptions) => Promise<Site>)({
      caller: ({ headers }) => {
        const name = headers.get("x-user");
        const may = name === null ? undefined : users[name];
        return name !== null && may ? { name, may, ...(name === "dora" && { workflows: [] }) } : null;
      },
    });
  });
  afterAll(() => site.stop());

  const startAs = (user: string, key: string) =>
    post(
      `${site.url}/v1/runs`,
      { workflow: "order", input: { orderId: "by a user" } },
      { ...JSON_TYPE, "x-user": user, "idempotency-key": key },
    );

  it("lets everybody do what they may", async () => {
    const started = await startAs("anna", "first");
    expect(started.status).toBe(201);
    const { id } = (await started.json()) as { id: string };
    expect((await fetch(`${site.url}/v1/runs/${id}`, { headers: { "x-user": "berta" } })).status).toBe(200);
    expect((await fetch(`${site.url}/v1/runs/${id}`, { headers: { "x-user": "anna" } })).status).toBe(403);
    expect((await startAs("berta", "second")).status).toBe(403);
    expect((await startAs("nobody", "third")).status).toBe(401);
  });

  it("shows no run to a caller who is bound to no workflow", async () => {
    const { id } = await (await startAs("anna", "nobody's")).json();
    const runsFor = async (user: string, query = "") =>
      (await (await fetch(`${site.url}/v1/runs${query}`, { headers: { "x-user": user } })).json()).runs;
    expect(await runsFor("berta")).toContainEqual(expect.objectContaining({ id }));
    for (const query of ["", "?workflow=,", "?status=waiting,running,pending,completed", `?q=${id}`])
      expect(await runsFor("dora", query)).toEqual([]);
    expect((await fetch(`${site.url}/v1/runs/${id}`, { headers: { "x-user": "dora" } })).status).toBe(403);
  });

  it("keeps one caller from speaking for another's worker", async () => {
    const as = (user: string) => ({ ...JSON_TYPE, "x-user": user });
    const registration = { name: "w", language: "any", workflows: [{ name: "elsewhere" }] };
    const registered = await post(`${site.url}/v1/worker/registrations`, registration, as("worker 1"));
    expect(registered.status).toBe(201);
    const { workerId } = (await registered.json()) as { workerId: string };
    const beat = (user: string) => post(`${site.url}/v1/worker/registrations/${workerId}/heartbeats`, {}, as(user));
    expect((await beat("worker 1")).status).toBe(200);
    const foreign = await beat("worker 2");
    expect(foreign.status).not.toBe(200);
    expect(foreign.status).toBeLessThan(500);
  });

  it("keeps what callers sent under one Idempotency-Key apart", async () => {
    users.carla = ["run.start"];
    const ids = await Promise.all(
      ["anna", "carla"].map(async (user) => (await (await startAs(user, "shared")).json()).id),
    );
    expect(new Set(ids).size).toBe(2);
  });

  it("refuses a caller without a name", async () => {
    expect((await startAs("", "nameless")).status).toBe(500);
  });

  it("takes no token beside it", async () => {
    expect((await fetch(`${site.url}/v1/runs`, { headers: WITH_TOKEN })).status).toBe(401);
  });
});

it("next: the handlers of a catch-all folder answer below it", async () => {
  const { GET, POST } = nextHandlers(handrail);
  const at = (path: string, init: RequestInit) =>
    [
      new Request(`http://shop.example/api/handrail/${path}`, init),
      { params: Promise.resolve({ path: path.split("?")[0]?.split("/") }) },
    ] as const;
  const started = await POST(
    ...at("v1/runs", {
      method: "POST",
      headers: WITH_TOKEN,
      body: JSON.stringify({ workflow: "order", input: { orderId: "next 1" } }),
    }),
  );
  expect(started.status).toBe(201);
  const { id } = (await started.json()) as { id: string };
  expect((await GET(...at(`v1/runs/${id}?steps=1`, { headers: WITH_TOKEN }))).status).toBe(200);
});

it("a closed Handrail is unavailable", async () => {
  const closed = createHandrail({ workflows: [order], databaseUrl: database.url });
  const server = createServer(expressHandler(closed)).listen(0, "127.0.0.1");
  await listening(server);
  expect((await fetch(`${addressOf(server)}/health/live`)).status).toBe(200);
  await closed.close();
  const response = await fetch(`${addressOf(server)}/v1/runs`, { headers: WITH_TOKEN });
  expect([response.status, (await response.json()).error.code]).toEqual([503, "unavailable"]);
  await stopping(server)();
});
