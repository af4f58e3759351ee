import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { workflows } from "../../../demo/workflows/index";
import { freePort } from "../../../scripts/ports";
import type { Asker } from "../../access/asker";
import { CALLER_HEADER, callerFor } from "../../access/fleet-caller";
import { EVERYTHING } from "../../engine/access/permission";
import { poolDb } from "../../store/db";
import { registerWorkflows } from "../../store/workers/workers";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { ChildConsole } from "../../testing/processes/crash";
import { aRun } from "../../testing/rows/a-run";

/* Two consoles of one fleet and one of none, each a process with a database: what one sends on, the other answers. */

const SECRET = "fleet-0123456789-abcdefghijklmnopqrst";
const BOOTSTRAP = "bootstrap-0123456789-abcdefghijklmnop";
type Name = "eu" | "us" | "alone";
const databases = {} as Record<Name, TestDatabase>;
const consoles = {} as Record<Name, ChildConsole>;
let cells: Map<string, string>;

beforeAll(async () => {
  const ports: Record<"eu" | "us" | "gone", number> = {
    eu: await freePort(),
    us: await freePort(),
    gone: await freePort(),
  };
  cells = new Map(Object.entries(ports).map(([name, port]) => [name, `http://127.0.0.1:${port}`]));
  const signIn = { HANDRAIL_SIGN_IN: "on", HANDRAIL_BOOTSTRAP_TOKEN: BOOTSTRAP };
  const start = async (name: Name) => {
    const database = await createTestDatabase();
    databases[name] = database;
    await registerWorkflows(poolDb(database.pool), workflows);
    const fleet = name !== "alone" && {
      HANDRAIL_CELL: name,
      HANDRAIL_CELLS: [...cells].map((cell) => cell.join("=")).join(","),
      HANDRAIL_FLEET_SECRET: SECRET,
    };
    const port = name !== "alone" && { port: ports[name] };
    consoles[name] = await ChildConsole.spawn(database, { ...port, env: { ...signIn, ...fleet } });
  };
  await Promise.all([start("eu"), start("us"), start("alone")]);
});
afterAll(async () => {
  await Promise.all(Object.values(consoles).map((one) => one.kill()));
  await Promise.all(Object.values(databases).map((one) => one.drop()));
});

interface Asking {
  token?: string;
  body?: object;
  headers?: Record<string, string>;
}

async function ask(at: Name, method: string, path: string, { token, body, headers = {} }: Asking = {}) {
  const response = await fetch(`${consoles[at].url}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const mint = async (scopes: string[], more: object = {}) => {
  const body = { name: `token of ${scopes.join(" and ")}`, scopes, expiresInDays: 1, reason: "a test", ...more };
  const { body: made } = await ask("eu", "POST", "/v1/tokens", { token: BOOTSTRAP, body });
  return made as { secret: string };
};
const runOf = (cell: Name) => aRun(poolDb(databases[cell].pool)).pending();

describe("a request that is sent on", () => {
  it("says which cells there are, and reads of another one what that one has", async () => {
    const { secret: token } = await mint(["viewer"]);
    const list = await ask("eu", "GET", "/v1/cells", { token });
    expect(list.body).toEqual({ own: "eu", cells: [...cells].map(([name, url]) => ({ name, url })) });
    expect((await ask("alone", "GET", "/v1/cells", { token: BOOTSTRAP })).body).toEqual({ own: null, cells: [] });
    const there = await runOf("us");
    const { body } = await ask("eu", "GET", "/v1/cells/us/v1/runs?limit=5", { token });
    expect(body.runs.map(({ id }: { id: string }) => id)).toContain(there);
    expect((await ask("eu", "GET", `/v1/runs/${there}`, { token })).status).toBe(404);
    expect((await ask("eu", "GET", `/v1/cells/us/v1/runs/${there}`, { token })).body.id).toBe(there);
  });

  it("acts once for a key, by the name and credential of the caller", async () => {
    const { secret: token } = await mint(["operator"]);
    const runId = await runOf("us");
    const act = () =>
      ask("eu", "POST", `/v1/cells/us/v1/runs/${runId}/cancellation`, {
        token,
        body: { reason: "from afar" },
        headers: { "idempotency-key": "cancel it" },
      });
    const [first, again] = [await act(), await act()];
    expect([first.status, again.status]).toEqual([202, 202]);
    const { rows } = await databases.us.pool.query(
      "select actor, actor_kind as kind, credential_id as credential from handrail.audit where run_id = $1 and act = 'cancel'",
      [runId],
    );
    expect(rows).toEqual([
      { actor: "token of operator", kind: "token", credential: expect.stringMatching(/^eu:token:[0-9a-f-]{36}$/) },
    ]);
  });

  it("may what the caller may here, and nothing that is each console's own", async () => {
    const { secret: viewer } = await mint(["viewer"]);
    const runId = await runOf("us");
    const refused = await ask("eu", "POST", `/v1/cells/us/v1/runs/${runId}/cancellation`, {
      token: viewer,
      body: { reason: "no" },
    });
    expect([refused.status, refused.body.error.code]).toEqual([403, "forbidden"]);
    const { secret: bound } = await mint(["viewer"], { workflows: ["account-credit"], name: "bound" });
    expect((await ask("eu", "GET", "/v1/cells/us/v1/runs", { token: bound })).body.runs).toEqual([]);
    expect((await ask("eu", "GET", `/v1/cells/us/v1/runs/${runId}`, { token: bound })).status).toBe(403);
    for (const path of ["people", "tokens", "destinations"]) {
      const { status } = await ask("eu", "GET", `/v1/cells/us/v1/${path}`, { token: BOOTSTRAP });
      expect([path, status]).toEqual([path, 403]);
    }
  });

  it("is refused for what is no cell, and what is not sent on", async () => {
    const at = async (path: string) => (await ask("eu", "GET", `/v1/cells/${path}`, { token: BOOTSTRAP })).status;
    expect(await at("mars/v1/runs")).toBe(404);
    expect(await at("us/v1/stream")).toBe(404);
    expect(await at("us/v1/session")).toBe(404);
    expect(await at("us/v1/cells/eu/v1/runs")).toBe(404);
    expect(await at("us/health/ready")).toBe(404);
    expect(await at("us/v1/%2e%2e/v1/stream")).toBe(404);
    expect((await ask("alone", "GET", "/v1/cells/us/v1/runs", { token: BOOTSTRAP })).status).toBe(404);
    expect((await ask("eu", "GET", "/v1/cells/us/v1/runs")).status).toBe(401);
  });

  it("to a console that is down says so at once, and to one that hangs within eight seconds", async () => {
    const read = (cell: string) => ask("eu", "GET", `/v1/cells/${cell}/v1/runs`, { token: BOOTSTRAP });
    const down = await read("gone");
    expect([down.status, down.body.error.code, down.body.error.details]).toEqual([
      503,
      "unavailable",
      { cell: "gone" },
    ]);
    consoles.us.signal("SIGSTOP");
    await consoles.us.untilStopped();
    const hung = await read("us").finally(() => consoles.us.signal("SIGCONT"));
    expect([hung.status, hung.body.error.message]).toEqual([503, expect.stringMatching(/"us" .* does not answer\.$/)]);
    expect((await read("us")).status).toBe(200);
  });
});

describe("a caller's header", () => {
  const admin: Asker = {
    ...EVERYTHING,
    name: "mallory",
    kind: "person",
    credentialId: null,
    personId: null,
    role: "admin",
    accountable: null,
  };
  const settings = (secret = SECRET) => ({ own: "eu", cells, secret });
  const request = { method: "GET", path: "/api/v1/runs" };
  const statusWith = async (header: string, at: Name = "us", path = "/v1/runs", more: Asking = {}) =>
    (await ask(at, "GET", path, { ...more, headers: { [CALLER_HEADER]: header } })).status;

  it("counts for the cell and the request that it was written for", async () => {
    const good = callerFor("us", settings(), admin, request);
    expect(await statusWith(good)).toBe(200);
    expect(await statusWith(good, "eu")).toBe(401);
    expect(await statusWith(good, "alone")).toBe(401);
    expect(await statusWith(good, "us", "/v1/overview")).toBe(401);
    expect(await statusWith(good, "us", "/v1/runs?limit=1")).toBe(401);
    expect(await statusWith(callerFor("us", settings(), admin, { ...request, method: "POST" }))).toBe(401);
  });

  it("of another secret, changed, cut or empty is refused, and so is one beside credentials", async () => {
    const good = callerFor("us", settings(), admin, request);
    const [text = "", signature = ""] = good.split(".");
    const changed = Buffer.from(Buffer.from(text, "base64url").toString().replace("mallory", "admin")).toString(
      "base64url",
    );
    const bad = [
      callerFor("us", settings(`${SECRET}x`), admin, request),
      `${changed}.${signature}`,
      text,
      `${text}.`,
      `.${signature}`,
      "x",
      `${good}.x`,
    ];
    for (const header of bad.slice(0, -1)) expect(await statusWith(header), header).toBe(401);
    expect(await statusWith(good, "us", "/v1/runs", { token: BOOTSTRAP })).toBe(401);
  });

  it("is over after a minute", async () => {
    vi.useFakeTimers({ now: Date.now() - 61_000, toFake: ["Date"] });
    const old = callerFor("us", settings(), admin, request);
    vi.useRealTimers();
    expect(await statusWith(old)).toBe(401);
  });

  it("gives no more than a console sends on, whatever it says", async () => {
    const path = "/api/v1/people";
    expect(await statusWith(callerFor("us", settings(), admin, { method: "GET", path }), "us", "/v1/people")).toBe(403);
  });
});
