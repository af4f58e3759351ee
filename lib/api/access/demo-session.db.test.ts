import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { inviteFirst } from "../../access/invite-first";
import { ROLES, type Role } from "../../engine/access/permission";
import { server } from "../../server";
import { poolDb } from "../../store/db";
import { anApiWithSignIn, BOOTSTRAP } from "../../testing/api/with-sign-in";

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
beforeAll(async () => {
  api = await anApiWithSignIn({ HANDRAIL_DEMO: "on" });
});
afterAll(() => api.close());

const ORIGIN = { origin: "http://127.0.0.1:3000" };
const be = (role: string, headers: Record<string, string> = {}) =>
  api.ask("POST", "/v1/demo/session", { body: { role }, headers });
const cookieOf = async (role: Role) => api.cookieOf(await be(role));
const sql = async (text: string) => (await api.database.pool.query(text)).rows;

/** The same process and database, started outside the demo. */
const leaveDemo = () => Object.assign(server().env, { demo: false });
afterEach(() => Object.assign(server().env, { demo: true }));

describe("in the demo", () => {
  it.each(ROLES)(
    "any visitor can be the %s, with that role's permissions, and the sign-in is in the audit",
    async (role) => {
      const cookie = await cookieOf(role);
      const me = await api.withCookie(cookie, "GET", "/v1/session");
      expect(me.body).toMatchObject({ name: role, kind: "person", role, signIn: true });
      expect((await api.withCookie(cookie, "GET", "/v1/audit")).status).toBe(role === "viewer" ? 403 : 200);
      expect((await api.withCookie(cookie, "GET", "/v1/people")).status).toBe(role === "admin" ? 200 : 403);
      const [newest] = await sql("select actor, act, reason, result from handrail.audit order by id desc limit 1");
      const signedIn = { actor: role, act: "sign_in", reason: `Signed in to the demo as its ${role}.`, result: "done" };
      expect(role === "operator" ? newest : signedIn).toMatchObject(signedIn);
    },
  );

  it("switching the role ends the session before", async () => {
    const cookie = await cookieOf("operator");
    const next = await be("viewer", { cookie, ...ORIGIN });
    expect((await api.withCookie(cookie, "GET", "/v1/runs")).status).toBe(401);
    expect((await api.withCookie(api.cookieOf(next), "GET", "/v1/session")).body.name).toBe("viewer");
  });

  it("another site's page signs no visitor in, and there is no other role", async () => {
    expect((await be("admin", { origin: "https://evil.example" })).status).toBe(400);
    expect((await be("admin", { host: "rebound.example" })).status).toBe(400);
    expect((await be("root")).status).toBe(422);
  });

  it("its people have no password and cannot be changed, and no caller gets in without a token or a session", async () => {
    const cookie = await cookieOf("admin");
    const password = { name: "admin", password: "correct horse battery" };
    expect((await api.ask("POST", "/v1/session", { body: password })).status).toBe(401);
    const { people } = (await api.withCookie(cookie, "GET", "/v1/people")).body;
    expect(people.map(({ name }: { name: string }) => name)).toEqual(["admin", "operator", "viewer"]);
    const change = { role: "admin", payloadRead: true, workflows: null, disabled: false, reason: "promoted" };
    const changed = await api.withCookie(cookie, "PUT", `/v1/people/${people[2].id}`, { body: change });
    expect(changed).toMatchObject({ status: 409, body: { error: { code: "not_allowed" } } });
    expect((await api.ask("GET", "/v1/runs")).status).toBe(401);
  });
});

describe("outside the demo, on the same database", () => {
  it("this sign-in does not exist, and its sessions are void", async () => {
    const cookie = await cookieOf("admin");
    leaveDemo();
    for (const role of ROLES)
      expect(await be(role)).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    expect((await api.withCookie(cookie, "GET", "/v1/runs")).status).toBe(401);
  });

  it("its people do not count: the first start's link is made, and neither lists nor the rule of the last admin include them", async () => {
    await cookieOf("admin");
    leaveDemo();
    expect((await api.as(BOOTSTRAP, "GET", "/v1/people")).body).toEqual({ people: [] });
    expect((await api.as(BOOTSTRAP, "GET", "/v1/sessions")).body).toEqual({ sessions: [] });
    expect(await inviteFirst(poolDb(api.database.pool))).not.toBeNull();
  });

  it("a person invited under one of their names is a separate person, in the demo too", async () => {
    await cookieOf("viewer");
    leaveDemo();
    const grace = await api.person("Viewer", "correct horse battery", { role: "operator" });
    expect((await api.withCookie(grace, "GET", "/v1/session")).body).toMatchObject({ role: "operator" });
    Object.assign(server().env, { demo: true });
    expect(await be("viewer")).toMatchObject({ status: 409, body: { error: { code: "not_allowed" } } });
  });
});
