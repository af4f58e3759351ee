/**
 * `npm test` of every example, in its folder: an order whose app is killed while its card is charged is charged once and
 * paid. Needs DATABASE_URL of an empty database; the app in Python, HANDRAIL_URL and HANDRAIL_TOKEN of a console. The app is used
 * over HTTP only, so that one test fits all.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

const JSON_TYPE = { "content-type": "application/json" };
const TOKEN = process.env.HANDRAIL_TOKEN ?? randomBytes(32).toString("hex");

async function listening(server) {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server.address().port;
}

/** Charges once a key. Its first answer never comes. */
async function aProvider(t) {
  const requests = [];
  const server = createServer((request, response) => {
    requests.push(request.headers["idempotency-key"]);
    if (requests.length > 1) response.end(JSON.stringify({ id: `ch_${request.headers["idempotency-key"]}` }));
  });
  const port = await listening(server);
  t.after(() => server.close().closeAllConnections());
  return { requests, url: `http://127.0.0.1:${port}` };
}

async function aFreePort() {
  const server = createServer();
  const port = await listening(server);
  await once(server.close(), "close");
  return port;
}

async function until(what, holds) {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(100)) if (await holds()) return;
  assert.fail(`${what} was not seen within a minute.`);
}

/** With its children, in a process group. */
function npm(script, t, env) {
  const child = spawn("npm", ["run", script], { env, detached: true, stdio: "inherit" });
  const end = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended.
    }
  };
  t.after(() => end("SIGKILL"));
  return { child, end };
}

/** The HTTP API for other programs, below /handrail of the app's own server, or at HANDRAIL_URL. */
async function otherProgramsAreServed(at, runId) {
  const api = async (path, body, headers = { authorization: `Bearer ${TOKEN}` }) => {
    const sent = body && { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`${at}/v1${path}`, { ...sent, headers: { ...JSON_TYPE, ...headers } });
    return { status: response.status, ...(await response.json()) };
  };
  const result = await api(`/runs/${runId}/result?waitMs=20000`);
  assert.equal(result.status, "completed");
  assert.match(result.output.chargeId, /^ch_/);
  const start = { workflow: "pay-order", input: { id: "A-1", cents: 4900 }, idempotencyKey: "order:A-1" };
  assert.equal((await api("/runs", start)).id, runId, "a start over HTTP with the same key is the same run");
  assert.equal((await api("/events", { name: "nobody.waits", key: "A-1", payload: {} })).error, undefined);
  if (!process.env.HANDRAIL_URL) assert.equal((await api("/runs", start, {})).error.code, "unauthenticated");
  assert.equal((await api("/nothing")).error.code, "not_found");
}

test("an order whose app is killed while its card is charged is charged once and paid", async (t) => {
  const provider = await aProvider(t);
  const PORT = String(await aFreePort());
  const env = { ...process.env, PORT, PROVIDER_URL: provider.url, HANDRAIL_BOOTSTRAP_TOKEN: TOKEN };
  const url = `http://127.0.0.1:${PORT}`;
  const ask = (path, more) => fetch(`${url}${path}`, more).catch(() => undefined);
  const isUp = async () => (await ask("/orders/none"))?.status === 404;
  const place = async () => {
    const response = await ask("/orders", {
      method: "POST",
      headers: JSON_TYPE,
      body: JSON.stringify({ id: "A-1", cents: 4900 }),
    });
    assert.equal(response?.status, 201);
    return (await response.json()).runId;
  };

  const migrate = async () => assert.deepEqual(await once(npm("migrate", t, env).child, "exit"), [0, null]);

  await migrate();
  const victim = npm("start", t, env);
  await until("The app", isUp);
  const runId = await place();
  assert.equal(await place(), runId, "the same order is the same run");
  await until("The charge", () => provider.requests.length === 1);
  victim.end("SIGKILL");
  await until("The app's death", async () => !(await ask("/orders/none")));

  // As a deploy does: the app's own migrations beside Handrail's tables, and orders that exist.
  await migrate();
  const survivor = npm("start", t, env);
  await until("The app", isUp);
  await until("The payment", async () => (await (await ask("/orders/A-1")).json()).chargeId !== null);
  assert.equal(new Set(provider.requests).size, 1, "every charge has the same key");
  await otherProgramsAreServed(process.env.HANDRAIL_URL ? `${process.env.HANDRAIL_URL}/api` : `${url}/handrail`, runId);

  survivor.end("SIGTERM");
  const [code, signal] = await once(survivor.child, "exit");
  assert.ok(code === 0 || signal === "SIGTERM", `it ended with ${code}`);
});
