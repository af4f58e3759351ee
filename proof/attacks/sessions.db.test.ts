import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BOOTSTRAP, bearer } from "../../lib/testing/api/with-sign-in";
import { ChildConsole } from "../../lib/testing/processes/crash";
import { REASON, type Scene, theScene } from "./scene";
import { attackTable, unless } from "./table";

const PASSWORD = "correct horse battery";
const ORIGIN = "http://127.0.0.1:3000";

let scene: Scene;
/** Another process of the same installation. */
let other: ChildConsole;
beforeAll(async () => {
  scene = await theScene();
  other = await ChildConsole.spawn(scene.database);
});
afterAll(async () => {
  await other?.kill();
  await scene.close();
});

const holds = attackTable("sessions and tokens");
const elsewhere = (path: string, headers: Record<string, string>) =>
  fetch(other.url + path, { headers }).then(({ status }) => status);
const personId = async (name: string) =>
  (await scene.rows("select id from handrail.person where name = $1", [name]))[0].id;
const change = async (name: string, to: object) =>
  scene.as(BOOTSTRAP, "PUT", `/v1/people/${await personId(name)}`, {
    body: { role: "viewer", payloadRead: false, workflows: null, disabled: false, reason: REASON, ...to },
  });

describe("what is over here is over in every process, from the next request on", () => {
  const ends: [string, (cookie: string, name: string) => Promise<unknown>, string, number][] = [
    ["signing out", (cookie) => scene.withCookie(cookie, "POST", "/v1/session/end", { body: {} }), "/v1/session", 401],
    [
      "signing in again",
      (cookie, name) =>
        scene.ask("POST", "/v1/session", { body: { name, password: PASSWORD }, headers: { cookie, origin: ORIGIN } }),
      "/v1/session",
      401,
    ],
    [
      "an admin's revocation",
      async (cookie) => {
        const { body } = await scene.withCookie(cookie, "GET", "/v1/session");
        return scene.boot("POST", `/v1/sessions/${body.sessionId}/revocation`, { reason: REASON });
      },
      "/v1/session",
      401,
    ],
    ["keeping the person out", (_, name) => change(name, { disabled: true }), "/v1/session", 401],
    [
      "a new password",
      async (_, name) => {
        const asked = { name, role: "operator", reason: REASON };
        const { secret } = (await scene.boot("POST", "/v1/people/invitations", asked)).body;
        return scene.ask("POST", "/v1/set-up", { body: { secret, password: "another good password" } });
      },
      "/v1/session",
      401,
    ],
    ["a lesser role", (_, name) => change(name, { role: "viewer" }), "/v1/audit", 403],
    ["being bound to one workflow", (_, name) => change(name, { workflows: ["user-sync"] }), "/v1/overview", 403],
  ];

  it("of people", async () => {
    await holds(ends, async ([label, end, path, status]) => {
      const name = `over by ${label}`;
      const cookie = await scene.person(name, PASSWORD, { role: "operator" });
      const before = await elsewhere(path, { cookie });
      await end(cookie, name);
      const after = [await elsewhere(path, { cookie }), (await scene.withCookie(cookie, "GET", path)).status];
      return unless(before === 200 && after.every((one) => one === status), label, { before, after });
    });
  });

  it("of programs", async () => {
    const endings = ["revoked", "expired"];
    await holds(endings, async (how) => {
      const token = await scene.mint(["viewer"], { name: how });
      const [{ id }] = await scene.rows("select id from handrail.token where name = $1", [how]);
      const before = await elsewhere("/v1/runs", bearer(token));
      if (how === "revoked") await scene.boot("POST", `/v1/tokens/${id}/revocation`, { reason: REASON });
      else await scene.rows("update handrail.token set expires_at = clock_timestamp() where id = $1", [id]);
      const after = await elsewhere("/v1/runs", bearer(token));
      return unless(before === 200 && after === 401, how, { before, after });
    });
  });
});

it("nobody is given a session that somebody else knows", async () => {
  await scene.person("target", PASSWORD);
  const attacker = await scene.person("attacker", PASSWORD);
  const planted = [
    "handrail=planted",
    `handrail=${"A".repeat(43)}`,
    attacker,
    `${attacker}; handrail=x`,
    `x=1; ${attacker}`,
  ];
  await holds(planted, async (cookie) => {
    await scene.rows("delete from handrail.sign_in_attempt");
    const body = { name: "target", password: PASSWORD };
    const answer = await scene.ask("POST", "/v1/session", { body, headers: { cookie, origin: ORIGIN } });
    const given = scene.cookieOf(answer);
    const who = await scene.withCookie(attacker, "GET", "/v1/session");
    const isNew = answer.status === 200 && !cookie.includes(given) && given.length > 50;
    return unless(isNew && who.body.name !== "target", cookie, { given, who: who.body });
  });
});

it("a secret is that secret, letter by letter", async () => {
  const cookie = await scene.person("tampered", PASSWORD);
  const secret = cookie.split("=")[1] as string;
  const hash = (
    await scene.rows(
      "select encode(token_hash, 'hex') as hex, id from handrail.session order by created_at desc limit 1",
    )
  )[0];
  const token = await scene.mint(["viewer"]);
  const flipped = Array.from({ length: secret.length }, (_, n) => {
    const letter = secret[n] === "A" ? "B" : "A";
    return secret.slice(0, n) + letter + secret.slice(n + 1);
  });
  const sessions = [
    ...flipped,
    secret.toLowerCase(),
    secret.toUpperCase(),
    secret.slice(1),
    `${secret}A`,
    `${secret}==`,
    `${secret}%00`,
    `${secret} `.trimEnd().concat(".x"),
    hash.hex,
    hash.id,
    "null",
    "undefined",
    "[object Object]",
    "0",
    "true",
    "..",
    "%",
    "x".repeat(4_000),
  ];
  await holds(sessions, async (one) => {
    const { status } = await scene.ask("GET", "/v1/session", { headers: { cookie: `handrail=${one}` } });
    return unless(status === 401, one.slice(0, 60), status);
  });
  const headers = [
    "Bearer nothing",
    "Bearer",
    "Bearer ",
    "bearer",
    "",
    " ",
    "Bearer null",
    "Bearer undefined",
    token,
    `Token ${token}`,
    `Basic ${Buffer.from(`x:${token}`).toString("base64")}`,
    `Bearer ${token} ${token}`,
    `Bearer ${token}, Bearer ${token}`,
    `Bearer  ${token}`,
    `Bearer\t${token}`,
    `Bearer "${token}"`,
    `Bearer ${token.slice(3)}`,
    `Bearer HR_${token.slice(3)}`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token}A`,
    `Bearer ${token}=`,
    `Bearer ${BOOTSTRAP.slice(0, -1)}`,
    `Bearer ${BOOTSTRAP.toUpperCase()}`,
    `Bearer ${BOOTSTRAP}x`,
    `Bearer ${"x".repeat(600)}`,
    "Bearer ' or 1=1 --",
    "Digest username=admin",
    "Negotiate YII=",
  ];
  await holds(headers, async (authorization) => {
    const { status } = await scene.ask("GET", "/v1/session", { headers: { authorization } });
    return unless(status === 401, authorization.slice(0, 60), status);
  });
});

it("what another installation has given opens nothing here", async () => {
  const { createTestDatabase } = await import("../../lib/testing/database/database");
  const another = await createTestDatabase();
  const stranger = await ChildConsole.spawn(another);
  const cookie = await scene.person("at-home", PASSWORD);
  const token = await scene.mint(["admin"]);
  await holds([{ cookie }, bearer(token)] as Record<string, string>[], async (headers) => {
    const response = await fetch(`${stranger.url}/v1/session`, { headers });
    return unless(response.status === 401, Object.keys(headers).join(), response.status);
  });
  await stranger.kill();
  await another.drop();
});

it("no secret is at rest anywhere: not in one column of one table", async () => {
  const cookie = await scene.person("at-rest", "kept nowhere as it is 7");
  const token = await scene.mint(["viewer"]);
  const asked = { name: "invited", role: "viewer", reason: REASON };
  const link = (await scene.boot("POST", "/v1/people/invitations", asked)).body.secret as string;
  const tables = await scene.rows(
    "select relname from pg_class where relkind = 'r' and relnamespace = 'handrail'::regnamespace",
  );
  const secrets = [cookie.split("=")[1] as string, token, token.slice(3), link, "kept nowhere as it is 7", BOOTSTRAP];
  const rows = tables.flatMap(({ relname }) => secrets.map((secret, index) => ({ relname, secret, index })));
  await holds(rows, async ({ relname, secret, index }) => {
    const encoded = [secret, Buffer.from(secret).toString("hex"), Buffer.from(secret).toString("base64")];
    const found = await scene.rows(`select 1 from handrail."${relname}" as one where one::text like any ($1) limit 1`, [
      encoded.map((text) => `%${text.replaceAll("_", "\\_")}%`),
    ]);
    return unless(found.length === 0, relname, index);
  });
});

it("nobody makes more of a token than they may themselves", async () => {
  const scopes = ["viewer", "operator", "run.read", "worker.work", "payload.read", "audit.read"];
  const asked = { name: "more", scopes: ["admin"], expiresInDays: 1, reason: REASON };
  await holds(scopes, async (scope) => {
    const token = await scene.mint([scope]);
    const made = await scene.as(token, "POST", "/v1/tokens", { body: asked });
    const invited = await scene.as(token, "POST", "/v1/people/invitations", {
      body: { name: "more", role: "admin", reason: REASON },
    });
    return unless(made.status === 403 && invited.status === 403, scope, [made.status, invited.status]);
  });
  const wrong = [
    { scopes: ["*"] },
    { scopes: ["admin "] },
    { scopes: ["ADMIN"] },
    { scopes: ["admin", "root"] },
    { scopes: "admin" },
    { scopes: [["admin"]] },
    { scopes: [{ toString: "admin" }] },
    { expiresInDays: 0 },
    { expiresInDays: -1 },
    { expiresInDays: 367 },
    { expiresInDays: null },
    { workflows: [] },
    { workflows: [""] },
    { workflows: "user-sync" },
    { name: "" },
    { reason: " " },
  ];
  await holds(wrong, async (change) => {
    const { status } = await scene.boot("POST", "/v1/tokens", { ...asked, ...change });
    return unless(status === 422, JSON.stringify(change), status);
  });
});

it("two sign-ins, two sign-outs and two uses of one session at once end as one after the other would", async () => {
  await scene.rows("delete from handrail.sign_in_attempt");
  const cookie = await scene.person("twice", PASSWORD);
  const again = () =>
    scene.ask("POST", "/v1/session", {
      body: { name: "twice", password: PASSWORD },
      headers: { cookie, origin: ORIGIN },
    });
  const answers = await Promise.all([again(), again()]);
  const opened = answers.filter(({ status }) => status === 200).map(scene.cookieOf);
  expect(new Set(opened).size).toBe(opened.length);
  await holds([cookie], async (one) => {
    const { status } = await scene.withCookie(one, "GET", "/v1/session");
    return unless(status === 401, "the session from before", status);
  });
  const first = opened[0] as string;
  const outs = await Promise.all([1, 2].map(() => scene.withCookie(first, "POST", "/v1/session/end", { body: {} })));
  await holds(outs, async ({ status }) => unless([200, 401, 404].includes(status), "signing out", status));
  expect((await scene.withCookie(first, "GET", "/v1/session")).status).toBe(401);
});
