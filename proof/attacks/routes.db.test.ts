import { afterAll, beforeAll, expect, it } from "vitest";
import type { Endpoint } from "../../lib/api/endpoint";
import { ACTIONS, type Action, actionsOf, ROLES } from "../../lib/engine/access/permission";
import { bearer } from "../../lib/testing/api/with-sign-in";
import { addressOf, ENDPOINTS } from "./fields";
import { type Scene, theScene } from "./scene";
import { attackTable, unless } from "./table";

interface Actor {
  name: string;
  headers: Record<string, string>;
  /** The permissions; null: not signed in. */
  may: ReadonlySet<Action> | null;
}

const ORIGIN = "http://127.0.0.1:3000";
const PASSWORD = "correct horse battery";

let scene: Scene;
const actors: Actor[] = [];
const nobodies: Actor[] = [];
beforeAll(async () => {
  scene = await theScene();
  for (const role of ROLES) {
    const may = actionsOf([role]);
    const cookie = await scene.person(`A ${role} in person`, PASSWORD, { role });
    actors.push({ name: `${role} with a session`, headers: { cookie, origin: ORIGIN }, may });
    actors.push({ name: `${role} with a token`, headers: bearer(await scene.mint([role])), may });
  }
  for (const action of ACTIONS)
    actors.push({ name: `only ${action}`, headers: bearer(await scene.mint([action])), may: actionsOf([action]) });
  nobodies.push(...(await theNobodies()).map(([name, headers]) => ({ name, headers, may: null })));
});
afterAll(() => scene.close());

async function theNobodies(): Promise<[string, Record<string, string>][]> {
  const person = async (name: string, change: string) => {
    const cookie = await scene.person(name, PASSWORD, { role: "admin" });
    await scene.rows(change, [name.toLowerCase()]);
    return { cookie, origin: ORIGIN };
  };
  const token = async (name: string, change: string) => {
    const secret = await scene.mint(["admin"], { name });
    await scene.rows(change, [name]);
    return bearer(secret);
  };
  const sessionOf = "person_id = (select id from handrail.person where name = $1)";
  const cookie = await scene.person("twofold", PASSWORD);
  return [
    ["anonymous", {}],
    ["a page of ours without a session", { origin: ORIGIN }],
    ["kept out", await person("Ousted", "update handrail.person set disabled_at = now() where name = $1")],
    ["signed out", await person("Gone", `update handrail.session set revoked_at = now() where ${sessionOf}`)],
    ["too late", await person("Late", `update handrail.session set expires_at = now() where ${sessionOf}`)],
    ["idle", await person("Idle", `update handrail.session set seen_at = now() - interval '1 day' where ${sessionOf}`)],
    ["expired", await token("an expired one", "update handrail.token set expires_at = now() where name = $1")],
    ["revoked", await token("a revoked one", "update handrail.token set revoked_at = now() where name = $1")],
    ["with a made-up session", { cookie: `handrail=${"A".repeat(43)}`, origin: ORIGIN }],
    ["with a made-up token", bearer(`hr_${"A".repeat(43)}`)],
    ["with a session and a token", { cookie, origin: ORIGIN, ...bearer(await scene.mint(["admin"])) }],
    ["in the name of Next's own requests", { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" }],
    ["in the name of a proxy", { "x-forwarded-user": "admin", "x-remote-user": "admin", "x-original-url": "/" }],
  ];
}

/** A body that fits none: an authorized request gets a validation error, and changes nothing. */
async function answerTo(endpoint: Endpoint, headers: Record<string, string>) {
  const abort = new AbortController();
  const body = endpoint.method === "GET" ? {} : { body: { nothing: "fits" } };
  const response = await scene.send(endpoint.method, addressOf(endpoint), { ...body, headers, signal: abort.signal });
  const isRefused = [401, 403].includes(response.status);
  const text = isRefused ? await response.text() : "";
  if (!isRefused) await response.body?.cancel();
  abort.abort();
  return { status: response.status, text };
}

const holds = attackTable("routes");

it("nobody gets anything but what is public", async () => {
  const rows = nobodies.flatMap((actor) => ENDPOINTS.map((endpoint) => ({ actor, endpoint })));
  await holds(rows, async ({ actor, endpoint }) => {
    if (endpoint.action === "public") return;
    const { status, text } = await answerTo(endpoint, actor.headers);
    const label = `${actor.name}: ${endpoint.method} ${endpoint.path}`;
    return unless(
      status === 401 && Object.keys(JSON.parse(text)).join() === (endpoint.refuse ? "message" : "error"),
      label,
      status,
    );
  });
});

it("everybody gets what their role or scope says, and 403 elsewhere", async () => {
  const rows = actors.flatMap((actor) => ENDPOINTS.map((endpoint) => ({ actor, endpoint })));
  await holds(rows, async ({ actor: { name, headers, may }, endpoint }) => {
    const { action } = endpoint;
    // Sessions belong to users: a token has none, whatever its permissions.
    if (endpoint.path.startsWith("/v1/sessions") && "authorization" in headers) return;
    const isTheirs = action === "public" || action === "self" || may?.has(action) === true;
    const { status } = await answerTo(endpoint, headers);
    return unless(
      (status !== 403) === isTheirs && status !== 401,
      `${name}: ${endpoint.method} ${endpoint.path}`,
      status,
    );
  });
}, 240_000);

it("no path takes a method that it does not name", async () => {
  const paths = new Set(ENDPOINTS.map(({ path }) => path));
  const rows = [...paths].flatMap((path) => Object.keys(scene.api).map((method) => ({ path, method })));
  const documented = new Set(ENDPOINTS.map(({ method, path }) => `${method} ${path}`));
  await holds(rows, async ({ path: template, method }) => {
    if (documented.has(`${method} ${template}`)) return;
    const path = template.replaceAll(/\{\w+\*?\}/g, "x");
    const headers = actors.find(({ name }) => name === "admin with a token")?.headers ?? {};
    const { status } = await scene.ask(method, path, { headers });
    return unless(status === 405 || status === 404, `${method} ${template}`, status);
  });
});

it("a mutation is never a GET, and only GET is without a body", () => {
  const wrong = ENDPOINTS.filter(({ method, body, rawBody }) => (method === "GET") !== ((body ?? rawBody) === null));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});
