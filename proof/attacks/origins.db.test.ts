import { afterAll, beforeAll, expect, it } from "vitest";
import { bearer } from "../../lib/testing/api/with-sign-in";
import { type Scene, theScene } from "./scene";
import { attackTable, unless } from "./table";

const PASSWORD = "correct horse battery";
const OURS = "http://127.0.0.1:3000";

let scene: Scene;
let cookie: string;
let token: string;
beforeAll(async () => {
  scene = await theScene();
  cookie = await scene.person("Ada", PASSWORD, { role: "admin" });
  token = await scene.mint(["admin"]);
});
afterAll(() => scene.close());

const holds = attackTable("origins");

const MUTATIONS: [method: string, path: string, body: object][] = [
  ["POST", "/v1/tokens", { name: "theirs", scopes: ["admin"], expiresInDays: 1, reason: "csrf" }],
  ["POST", "/v1/people/invitations", { name: "theirs", role: "admin", reason: "csrf" }],
  ["POST", "/v1/session/end", {}],
  ["POST", "/v1/session", { name: "ada", password: PASSWORD }],
  ["PUT", "/v1/schedules/a-schedule/override", { everyMs: 60_000, reason: "csrf" }],
  ["PUT", "/v1/schedules/another", { workflow: "takes-anything", everyMs: 60_000, reason: "csrf" }],
];

/** What a browser on another page would send, or a client that imitates it. */
const FOREIGN_ORIGINS: Record<string, string> = {
  "another site": "https://evil.example",
  "null, as from a sandboxed frame or a file": "null",
  "the empty origin": "",
  "another port": "http://127.0.0.1:3001",
  "no port": "http://127.0.0.1",
  "a port with a zero in front": "http://127.0.0.1:03000",
  "a sub-domain": "http://evil.127.0.0.1:3000",
  "ours as a sub-domain": "http://127.0.0.1.evil.example:3000",
  "ours as a user": "http://127.0.0.1:3000@evil.example",
  "ours behind a user": "http://evil@127.0.0.1:3000",
  "ours in a path": "https://evil.example/http://127.0.0.1:3000",
  "ours with a path": "http://127.0.0.1:3000/evil",
  "ours with a slash": "http://127.0.0.1:3000/",
  "ours and another": "http://127.0.0.1:3000 https://evil.example",
  "ours, another": "http://127.0.0.1:3000, https://evil.example",
  "a trailing dot": "http://127.0.0.1.:3000",
  "another name of loopback": "http://localhost:3000",
  "loopback in six": "http://[::1]:3000",
  "loopback in hexadecimal": "http://0x7f.0.0.1:3000",
  "loopback in one number": "http://2130706433:3000",
  "every address": "http://0.0.0.0:3000",
  "an extension": "chrome-extension://abcdefgh",
  "a file": "file://",
  data: "data:text/html,x",
  "a web socket": "ws://127.0.0.1:3000",
  "another scheme of ours": "ftp://127.0.0.1:3000",
  "no scheme": "127.0.0.1:3000",
  "a word": "same-origin",
};

it("a mutation with a session comes from a page of this very origin", async () => {
  const origins = { ...FOREIGN_ORIGINS, "none at all": undefined };
  const rows = MUTATIONS.flatMap((mutation) =>
    Object.entries(origins).map(([label, origin]) => ({ mutation, label, origin })),
  );
  await holds(rows, async ({ mutation: [method, path, body], label, origin }) => {
    // Without a session there is nothing to forge: programs sign in without an origin.
    if (path === "/v1/session" && origin === undefined) return;
    const headers = { ...(path !== "/v1/session" && { cookie }), ...(origin !== undefined && { origin }) } as Record<
      string,
      string
    >;
    const { status } = await scene.ask(method, path, { headers, body });
    return unless(status === 400 || status === 403, `${label}: ${method} ${path}`, status);
  });
});

it("nor does it come from where the browser says that it is another site", async () => {
  const rows = MUTATIONS.flatMap((mutation) => [undefined, OURS].map((origin) => ({ mutation, origin })));
  await holds(rows, async ({ mutation: [method, path, body], origin }) => {
    const headers = { cookie, "sec-fetch-site": "cross-site", ...(origin && { origin }) };
    const { status } = await scene.ask(method, path, { headers, body });
    return unless(status === 400, `${origin}: ${path}`, status);
  });
});

it("what a form can send is no request", async () => {
  const types = [
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
    "text/plain; application/json",
    "text/plain;charset=UTF-8",
    "application/json, text/plain",
    "application/json; boundary=x",
    "application/jsonp",
    "application/csp-report",
    "application/reports+json",
    "application/vnd.api+json",
    "application/x-json",
    "text/json",
    "json",
    "",
  ];
  const rows = MUTATIONS.flatMap((mutation) => types.map((type) => ({ mutation, type })));
  await holds(rows, async ({ mutation: [method, path, body], type }) => {
    const headers = { cookie, origin: OURS, "content-type": type };
    const { status } = await scene.ask(method, path, { headers, body: JSON.stringify(body) });
    return unless(status === 415, `${type}: ${path}`, status);
  });
});

it("no name of this machine but its own is answered: a page whose name leads here is another's", async () => {
  const hosts = [
    "evil.example",
    "evil.example:3000",
    "127.0.0.1.evil.example:3000",
    "localhost.evil.example",
    "localhost.:3000",
    "127.0.0.1.:3000",
    "evil.localhost:3000",
    "0.0.0.0:3000",
    "[::]:3000",
    "192.168.0.1:3000",
    "169.254.169.254",
    "127.0.0.1:3000@evil.example",
    "127.0.0.1:3000, evil.example",
    "127.0.0.1:99999999",
    "localhost:3000/x",
    "",
    " ",
    "xn--lcalhost-9za:3000",
  ];
  const rows = hosts.flatMap((host) => ["GET", "POST"].map((method) => ({ host, method })));
  await holds(rows, async ({ host, method }) => {
    const headers = { host, cookie, origin: `http://${host}` };
    const { status } = await scene.ask(method, method === "GET" ? "/v1/session" : "/v1/session/end", {
      headers,
      ...(method === "POST" && { body: {} }),
    });
    return unless(status === 400, `${method} of ${JSON.stringify(host)}`, status);
  });
});

it("metrics are answered under any name, to a token that may read them: no page of another site has one", async () => {
  const asked = (headers: Record<string, string>, path = "/v1/metrics") =>
    scene.send("GET", path, { headers: { host: "console:3000", ...headers } }).then(({ status }) => status);
  const program = bearer(token);
  expect(await asked(program)).toBe(200);
  expect(await asked({})).toBe(400);
  expect(await asked({ cookie })).toBe(400);
  expect(await asked({ ...program, cookie })).toBe(401);
  expect(await asked(bearer("hr_none"))).toBe(401);
  expect(await asked({ authorization: "Basic eDp4" })).toBe(401);
  expect(await asked(program, "/v1/runs")).toBe(400);
});

it("a cookie never stands for a token, nor a token for a cookie, nor both for one", async () => {
  const secret = cookie.split("=")[1] ?? "";
  const mixes: [string, Record<string, string>][] = [
    ["both", { cookie, authorization: `Bearer ${token}` }],
    ["a cookie and nothing", { cookie, authorization: "" }],
    ["a cookie and Basic", { cookie, authorization: "Basic YTpi" }],
    ["the session as a token", { authorization: `Bearer ${secret}` }],
    ["the token as a session", { cookie: `handrail=${token}` }],
    ["another name", { cookie: `__Host-handrail=${secret}` }],
    ["the name in other case", { cookie: `Handrail=${secret}` }],
    ["the name with a space", { cookie: `handrail =${secret}` }],
    ["in quotes", { cookie: `handrail="${secret}"` }],
    ["encoded", { cookie: `handrail=${encodeURIComponent(`${secret}=`)}` }],
    ["an empty one before it", { cookie: `handrail=; handrail=${secret}` }],
    ["in the query", {}],
    ["under another header", { "x-authorization": `Bearer ${token}`, "x-api-key": token } as Record<string, string>],
    ["of a proxy", { "proxy-authorization": `Bearer ${token}` }],
  ];
  await holds(mixes, async ([label, headers]) => {
    const query =
      label === "in the query" ? `?token=${token}&access_token=${token}&authorization=Bearer%20${token}` : "";
    const { status } = await scene.ask("GET", `/v1/people${query}`, { headers });
    return unless(status === 401, label, status);
  });
});

it("after all of it, nobody has anything that they had not", async () => {
  await holds(["tokens", "people", "session", "schedule"], async (what) => {
    if (what === "session")
      return unless((await scene.withCookie(cookie, "GET", "/v1/session")).status === 200, what, 401);
    if (what === "schedule") {
      const { body } = await scene.boot("GET", "/v1/schedules/a-schedule");
      return unless(body.overridden.length === 0, what, body.overridden);
    }
    const { body } = await scene.boot("GET", `/v1/${what}`);
    const names = body[what].map(({ name }: { name: string }) => name);
    return unless(!names.includes("theirs"), what, names);
  });
});
