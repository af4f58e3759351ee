import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inviteFirst } from "../../access/invite-first";
import { poolDb } from "../../store/db";
import { anApiWithSignIn, BOOTSTRAP } from "../../testing/api/with-sign-in";
import { until } from "../../testing/until";

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
beforeAll(async () => {
  api = await anApiWithSignIn();
});
afterAll(() => api.close());

const PASSWORD = "correct horse battery";
const sql = async (text: string, values: unknown[] = []) => (await api.database.pool.query(text, values)).rows;
const signIn = (name: string, password: string, headers: Record<string, string> = {}) =>
  api.ask("POST", "/v1/session", { body: { name, password }, headers });
const reason = "a test";

describe("the first start", () => {
  it("makes a link; the newest makes the first admin, once, and no other", async () => {
    const db = poolDb(api.database.pool);
    // Several processes may start at once: only one of their links is valid.
    const [old = ""] = (await Promise.all([1, 2, 3].map(() => inviteFirst(db)))).map(String);
    expect(await sql("select count(*)::int as n from handrail.invitation where used_at is null")).toEqual([{ n: 1 }]);
    const secret = (await inviteFirst(db)) as string;
    const use = (secret: string, name = "Ada") =>
      api.ask("POST", "/v1/set-up", { body: { secret, name, password: PASSWORD } });
    expect((await use(old)).status).toBe(401);
    expect(await use(secret, "")).toMatchObject({ status: 422 });
    const [first, second] = await Promise.all([use(secret), use(secret, "Mallory")]);
    expect([first.status, second.status].sort()).toEqual([200, 401]);
    const cookie = api.cookieOf(first.status === 200 ? first : second);
    expect((await api.withCookie(cookie, "GET", "/v1/session")).body).toMatchObject({ role: "admin", signIn: true });
    expect(await sql("select count(*)::int as n from handrail.person")).toEqual([{ n: 1 }]);
    expect(await inviteFirst(db)).toBeNull();
    expect((await use(secret)).status).toBe(401);
  });

  it("takes no weak password", async () => {
    const { body } = await api.as(BOOTSTRAP, "POST", "/v1/people/invitations", {
      body: { name: "Weak", role: "viewer", reason },
    });
    for (const password of ["short", "aaaaaaaaaaaaaaaa", "weak-weak-1234"])
      expect(await api.ask("POST", "/v1/set-up", { body: { secret: body.secret, password } })).toMatchObject({
        status: 422,
      });
  });
});

describe("a session", () => {
  it("is opened anew by each sign-in, and the one before ends: none can be planted", async () => {
    await api.person("Grace", PASSWORD);
    const planted = "handrail=planted-by-somebody-else";
    const first = await signIn("GRACE ", PASSWORD, { cookie: planted, origin: "http://127.0.0.1:3000" });
    expect(first.status).toBe(200);
    expect(first.headers.get("set-cookie")).toMatch(/^handrail=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const cookie = api.cookieOf(first);
    expect(cookie).not.toBe(planted);
    const second = await signIn("grace", PASSWORD, { cookie, origin: "http://127.0.0.1:3000" });
    expect((await api.withCookie(cookie, "GET", "/v1/runs")).status).toBe(401);
    expect((await api.withCookie(api.cookieOf(second), "GET", "/v1/runs")).status).toBe(200);
  });

  it("acts only from a page of ours, and its secret is no token", async () => {
    const cookie = await api.person("Joan", PASSWORD);
    const end = (headers: Record<string, string>) => api.ask("POST", "/v1/session/end", { body: {}, headers });
    expect((await end({ cookie })).status).toBe(400);
    expect((await end({ cookie, origin: "https://evil.example" })).status).toBe(400);
    expect((await end({ cookie, origin: "null" })).status).toBe(400);
    const secret = cookie.split("=")[1] ?? "";
    expect((await api.as(secret, "GET", "/v1/runs")).status).toBe(401);
    const token = await api.mint(["admin"]);
    expect((await api.withCookie(`handrail=${token}`, "GET", "/v1/runs")).status).toBe(401);
    const both = { cookie, authorization: `Bearer ${token}` };
    expect((await api.ask("GET", "/v1/runs", { headers: both })).status).toBe(401);
    expect((await api.withCookie(cookie, "GET", "/v1/runs")).status).toBe(200);
  });

  it.each([
    ["left alone", "update handrail.session set seen_at = clock_timestamp() - interval '12 hours 1 minute'"],
    ["too old", "update handrail.session set expires_at = clock_timestamp() - interval '1 second'"],
    ["revoked", "update handrail.session set revoked_at = clock_timestamp()"],
    ["of a disabled person", "update handrail.person set disabled_at = clock_timestamp() where name like 'over%'"],
  ])("that is %s is over with the next request", async (why, statement) => {
    const cookie = await api.person(`over ${why}`, PASSWORD);
    expect((await api.withCookie(cookie, "GET", "/v1/session")).status).toBe(200);
    await sql(statement);
    expect((await api.withCookie(cookie, "GET", "/v1/session")).status).toBe(401);
  });

  it("is revoked by its owner or an admin, and by no one else, at once", async () => {
    const [one, other] = [await api.person("Barbara", PASSWORD), await api.person("Frances", PASSWORD)];
    const { body } = await api.withCookie(one, "GET", "/v1/sessions");
    expect(body.sessions).toMatchObject([{ name: "barbara", current: true }]);
    const revoke = (cookie: string) =>
      api.withCookie(cookie, "POST", `/v1/sessions/${body.sessions[0].id}/revocation`, { body: { reason } });
    expect((await revoke(other)).status).toBe(404);
    expect((await api.withCookie(one, "GET", "/v1/session")).status).toBe(200);
    expect((await revoke(one)).status).toBe(200);
    expect((await api.withCookie(one, "GET", "/v1/session")).status).toBe(401);
  });

  it("ends with signing out, and takes its cookie back", async () => {
    const cookie = await api.person("Hedy", PASSWORD);
    const answer = await api.withCookie(cookie, "POST", "/v1/session/end", { body: {} });
    expect(answer.headers.get("set-cookie")).toMatch(/^handrail=;.*Max-Age=0$/);
    expect((await api.withCookie(cookie, "GET", "/v1/session")).status).toBe(401);
  });

  it("keeps neither its secret nor the password", async () => {
    const cookie = await api.person("Radia", PASSWORD);
    const [row] = await sql(
      "select to_jsonb(s) || to_jsonb(p) as all from handrail.session s join handrail.person p on true",
    );
    expect(JSON.stringify(row)).not.toContain(cookie.split("=")[1]);
    const rows = await sql("select password_hash from handrail.person");
    for (const { password_hash } of rows) expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

/** An admin's change of this person that is not committed before the sign-in waits for it. */
async function whileChanged(name: string, change: string, signingIn: () => ReturnType<typeof signIn>) {
  const client = await api.database.pool.connect();
  try {
    await client.query("begin");
    await client.query("select from handrail.person where name = $1 for update", [name]);
    const answer = signingIn();
    await until("The sign-in's wait for the person", async () => {
      const waiting = await sql(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return waiting.length > 0;
    });
    await client.query(`update handrail.person set ${change} where name = $1`, [name]);
    await client.query(
      "update handrail.session set revoked_at = clock_timestamp() where person_id = (select id from handrail.person where name = $1)",
      [name],
    );
    await client.query("commit");
    return await answer;
  } finally {
    client.release(true);
  }
}

describe("a sign-in beside a change of its person", () => {
  it.each([
    ["another password", "password_hash = password_hash || 'x'", 401],
    ["blocked access", "disabled_at = clock_timestamp()", 401],
    ["a lesser role", "role = 'viewer'", 200],
  ])("%s: with the old password there is no session that outlives it", async (label, change, status) => {
    const name = `beside ${label}`;
    await api.person(name, PASSWORD);
    const answer = await whileChanged(name, change, () => signIn(name, PASSWORD));
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.body.error.message).toBe("Wrong name or password.");
    const [row] = await sql("select result from handrail.audit where actor = $1 order by id desc limit 1", [name]);
    expect(row?.result).toBe(status === 401 ? "denied" : "done");
  });
});

describe("guessing a password", () => {
  it("says the same of a wrong name and a wrong password, and makes the next try wait, also when many try at once", async () => {
    await api.person("Katherine", PASSWORD);
    const wrong = await signIn("katherine", "not the password");
    const unknown = await signIn("nobody of this name", "not the password");
    expect(wrong.body.error.message).toBe(unknown.body.error.message);
    const answers = await Promise.all(Array.from({ length: 12 }, () => signIn("katherine", "not the password")));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(6);
    expect(refused[0]?.body.error.details.waitMs).toBeLessThanOrEqual(30_000);
    // The owner of the account signs in from another network, and is not delayed.
    expect((await signIn("katherine", PASSWORD, { "x-forwarded-for": "192.0.2.7" })).status).toBe(200);
    await sql("update handrail.sign_in_attempt set blocked_until = clock_timestamp()");
    expect((await signIn("katherine", PASSWORD)).status).toBe(200);
    const [count] = await sql(
      "select count(*)::int as n from handrail.audit where actor = 'katherine' and result = 'denied'",
    );
    expect(count?.n).toBeGreaterThan(0);
  });

  it("never makes an account wait for longer than half a minute", async () => {
    for (let tries = 0; tries < 20; tries++) {
      await signIn("mary", "not the password");
      await sql("update handrail.sign_in_attempt set blocked_until = clock_timestamp()");
    }
    await signIn("mary", "not the password");
    const [row] = await sql(
      `select max(extract(epoch from blocked_until - clock_timestamp()))::float as wait from handrail.sign_in_attempt where key like 'account:%'`,
    );
    expect(row?.wait).toBeGreaterThan(20);
    expect(row?.wait).toBeLessThanOrEqual(30);
    await sql("delete from handrail.sign_in_attempt");
  });
});

describe("a token", () => {
  it("is shown once, stored as a hash, and does what its scopes say", async () => {
    const body = { name: "deploy", scopes: ["run.start"], expiresInDays: 30, reason };
    const sent = { body, headers: { "idempotency-key": "mint-once" } };
    const minted = await api.as(BOOTSTRAP, "POST", "/v1/tokens", sent);
    const { secret, token } = minted.body;
    expect(secret).toMatch(/^hr_[\w-]{43}$/);
    const again = await api.as(BOOTSTRAP, "POST", "/v1/tokens", sent);
    expect(again.body).toEqual({ token, secret: null });
    for (const table of ["token", "request", "audit"]) {
      const [row] = await sql(`select string_agg(one::text, '') as all from handrail.${table} as one`);
      expect(row?.all ?? "").not.toContain(secret);
    }
    expect((await api.as(secret, "POST", "/v1/runs", { body: { workflow: "nope", input: {} } })).status).toBe(404);
    expect((await api.as(secret, "GET", "/v1/runs")).status).toBe(403);
    expect((await api.as(secret, "GET", "/v1/session")).body).toMatchObject({
      name: "deploy",
      kind: "token",
      sessionId: null,
    });
  });

  it.each([
    ["revoked", (id: string) => api.as(BOOTSTRAP, "POST", `/v1/tokens/${id}/revocation`, { body: { reason } })],
    ["expired", (id: string) => sql("update handrail.token set expires_at = clock_timestamp() where id = $1", [id])],
  ])("that is %s is refused from the next request on", async (_, end) => {
    const secret = await api.mint(["viewer"]);
    expect((await api.as(secret, "GET", "/v1/runs")).status).toBe(200);
    const { body } = await api.as(BOOTSTRAP, "GET", "/v1/tokens");
    await end(body.tokens[0].id);
    expect((await api.as(secret, "GET", "/v1/runs")).status).toBe(401);
  });

  it("with an unknown scope, or without an end, is not made", async () => {
    for (const wrong of [{ scopes: ["root"] }, { scopes: [] }, { expiresInDays: 4000 }, { workflows: [] }]) {
      const body = { name: "x", scopes: ["viewer"], expiresInDays: 1, reason, ...wrong };
      expect((await api.as(BOOTSTRAP, "POST", "/v1/tokens", { body })).status).toBe(422);
    }
  });
});

describe("people", () => {
  it("are changed from their next request on; the last admin stays one", async () => {
    const cookie = await api.person("Annie", PASSWORD, { role: "admin" });
    const { body } = await api.withCookie(cookie, "GET", "/v1/people");
    const change = (id: string, role: string, disabled = false) =>
      api.as(BOOTSTRAP, "PUT", `/v1/people/${id}`, {
        body: { role, payloadRead: false, workflows: null, disabled, reason },
      });
    const admins = body.people.filter(
      ({ role, disabledAt }: { role: string; disabledAt: null }) => role === "admin" && !disabledAt,
    );
    const annie = body.people.find(({ name }: { name: string }) => name === "annie");
    const others = admins.filter(({ id }: { id: string }) => id !== annie.id);
    const answers = await Promise.all([...others, annie].map(({ id }: { id: string }) => change(id, "viewer")));
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(admins.length - 1);
  });

  it.each([
    ["kept out", { disabled: true }],
    ["given a lesser role", { role: "viewer" }],
  ])("who are %s come back by no link that was made before", async (how, to) => {
    const name = `linked ${how}`;
    const cookie = await api.person(name, PASSWORD, { role: "admin" });
    const linkTo = async (name: string) => {
      const body = { name, role: "admin", reason };
      return (await api.as(BOOTSTRAP, "POST", "/v1/people/invitations", { body })).body.secret;
    };
    const use = (secret: string) =>
      api.ask("POST", "/v1/set-up", { body: { secret, password: "another good password" } });
    const [theirs, other] = [await linkTo(name), await linkTo(`not ${how}`)];
    const [person] = await sql("select id from handrail.person where name = $1", [name]);
    const change = { role: "admin", payloadRead: false, workflows: null, disabled: false, reason, ...to };
    expect((await api.as(BOOTSTRAP, "PUT", `/v1/people/${person?.id}`, { body: change })).status).toBe(200);
    expect((await use(theirs)).status).toBe(401);
    expect((await api.withCookie(cookie, "GET", "/v1/people")).status).not.toBe(200);
    expect((await use(other)).status).toBe(200);
    expect((await use(await linkTo(name))).status).toBe(200);
  });

  it("have no look-alike, however many people there are", async () => {
    await api.person("zola", PASSWORD);
    await sql(
      "insert into handrail.person (id, name, role) select gen_random_uuid(), 'crowd ' || n, 'viewer' from generate_series(1, 500) as n",
    );
    const body = { name: "zo1a", role: "viewer", reason };
    expect(await api.as(BOOTSTRAP, "POST", "/v1/people/invitations", { body })).toMatchObject({ status: 409 });
    await sql("delete from handrail.person where name like 'crowd %'");
  });

  it("are managed by no one else", async () => {
    const cookie = await api.person("An operator", PASSWORD);
    for (const path of ["/v1/people", "/v1/tokens"])
      expect((await api.withCookie(cookie, "GET", path)).status).toBe(403);
    const body = { name: "x", scopes: ["admin"], expiresInDays: 1, reason };
    expect((await api.withCookie(cookie, "POST", "/v1/tokens", { body })).status).toBe(403);
  });
});

it("no caller grants what it may not do itself", async () => {
  const clerk = await api.mint(["access.manage", "viewer"]);
  const token = (scopes: string[]) => ({ body: { name: "t", scopes, expiresInDays: 1, reason } });
  for (const scopes of [["admin"], ["operator"], ["run.rerun"], ["viewer", "worker.work"], ["payload.read"]])
    expect(await api.as(clerk, "POST", "/v1/tokens", token(scopes))).toMatchObject({
      status: 403,
      body: { error: { message: expect.stringContaining("You may not grant what you may not do") } },
    });
  const invitation = { body: { name: "Eve", role: "admin", reason } };
  expect((await api.as(clerk, "POST", "/v1/people/invitations", invitation)).status).toBe(403);
  const looks = { body: { name: "Eve", role: "viewer", payloadRead: true, reason } };
  expect((await api.as(clerk, "POST", "/v1/people/invitations", looks)).status).toBe(403);
  expect((await api.as(clerk, "POST", "/v1/tokens", token(["viewer"]))).status).toBe(201);
  const admin = await api.mint(["admin"]);
  expect((await api.as(admin, "POST", "/v1/tokens", token(["viewer", "worker.work"]))).status).toBe(201);
});
