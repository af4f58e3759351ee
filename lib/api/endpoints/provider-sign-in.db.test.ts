import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ACCESS_RULES } from "../../store/access/access-rules";
import { anAccount } from "../../testing/api/an-account";
import { anApiWithProvider } from "../../testing/api/with-provider";
import { BOOTSTRAP } from "../../testing/api/with-sign-in";
import { until } from "../../testing/until";

let api: Awaited<ReturnType<typeof anApiWithProvider>>;
beforeAll(async () => {
  api = await anApiWithProvider();
});
afterAll(() => api.close());

const PASSWORD = "correct horse battery";
const me = async (cookie: string) => (await api.withCookie(cookie, "GET", "/v1/session")).body;
const invite = async (name: string, role = "viewer") => {
  const body = { name, role, reason: "a test" };
  return (await api.as(BOOTSTRAP, "POST", "/v1/people/invitations", { body })).body.secret as string;
};
const auditOf = (name: string) =>
  api.sql("select act, result, reason, before, after from handrail.audit where actor = $1 order by id", [name]);

describe("a new person", () => {
  it("gets the highest role of their groups, on record, and signs in again as the same person", async () => {
    const first = await api.signIn(anAccount("ada", ["staff", "ops-admins", "ops"]), { next: "/runs?status=failed" });
    expect(first).toMatchObject({ status: 303, location: "/runs?status=failed" });
    expect(await me(first.cookie)).toMatchObject({ name: "ada@example.com", role: "admin", kind: "person" });
    // The address has changed; issuer and subject identify the account.
    const again = await api.signIn({ ...anAccount("ada", ["ops-admins"]), email: "lovelace@example.com" });
    expect(await me(again.cookie)).toMatchObject({ name: "ada@example.com", role: "admin" });
    const host = new URL(api.provider.issuer).host;
    expect(await auditOf("ada@example.com")).toMatchObject([
      {
        act: "join",
        result: "done",
        reason: `Signed in through ${host}.`,
        after: { role: "admin", subject: "subject of ada" },
      },
      { act: "sign_in", result: "done", after: { role: "admin" } },
    ]);
  });

  it("is one person, however many windows sign in at once", async () => {
    api.provider.account = anAccount("grace");
    const ways = await Promise.all([1, 2, 3, 4].map(() => api.begin()));
    const backs = await Promise.all(ways.map(({ url }) => api.provider.visit(url)));
    const came = await Promise.all(backs.map((back, n) => api.comeBack(back, ways[n]?.cookie ?? "")));
    expect(came.map(({ location }) => location)).toEqual(["/", "/", "/", "/"]);
    expect(await api.sql("select name from handrail.person where name like 'grace%'")).toHaveLength(1);
    const names = await Promise.all(came.map(({ cookie }) => me(cookie)));
    expect(new Set(names.map(({ name }) => name))).toEqual(new Set(["grace@example.com"]));
  });

  it("has the role of today's groups with each sign-in, and none without one", async () => {
    await api.signIn(anAccount("joan", ["ops"]));
    const viewer = await api.signIn(anAccount("joan", ["staff"]));
    expect(await me(viewer.cookie)).toMatchObject({ role: "viewer" });
    expect((await auditOf("joan@example.com")).at(-1)).toMatchObject({
      before: { role: "operator" },
      after: { role: "viewer" },
    });
    expect((await api.signIn(anAccount("joan", []))).location).toBe("/sign-in?refused=no_role");
  });

  it("takes over no one's name", async () => {
    await api.person("hedy@example.com", PASSWORD);
    expect((await api.signIn(anAccount("hedy"))).location).toBe("/sign-in?refused=taken");
    expect((await api.signIn({ ...anAccount("ada"), sub: "another" })).location).toBe("/sign-in?refused=taken");
    // A name that looks like another's is taken, too.
    await api.person("paul@example.com", PASSWORD);
    expect((await api.signIn(anAccount("pau1"))).location).toBe("/sign-in?refused=taken");
    expect(await auditOf("pau1@example.com")).toMatchObject([{ act: "join", result: "denied" }]);
    expect(await auditOf("hedy@example.com")).toMatchObject([
      { act: "accept_invitation", result: "done" },
      { act: "join", result: "denied", after: { because: expect.stringContaining("has this name here") } },
    ]);
    expect(
      (await api.ask("POST", "/v1/session", { body: { name: "hedy@example.com", password: PASSWORD } })).status,
    ).toBe(200);
  });

  it("has no password to guess", async () => {
    for (const password of ["null", "undefined", "x"])
      expect((await api.ask("POST", "/v1/session", { body: { name: "grace@example.com", password } })).status).toBe(
        401,
      );
    await api.sql("delete from handrail.sign_in_attempt");
  });
});

describe("an invitation", () => {
  it("lets in a person without a group, with what it grants, once", async () => {
    const invitation = await invite("Barbara");
    const came = await api.signIn(anAccount("barbara", []), { invitation });
    expect(await me(came.cookie)).toMatchObject({ name: "barbara", role: "viewer" });
    expect(await auditOf("barbara")).toMatchObject([{ act: "accept_invitation", result: "done" }]);
    expect((await api.signIn(anAccount("frances", []), { invitation })).location).toBe("/sign-in?refused=link");
    // The role is the granted one, whatever the groups are.
    const again = await api.signIn(anAccount("barbara", ["ops-admins"]));
    expect(await me(again.cookie)).toMatchObject({ name: "barbara", role: "viewer" });
  });

  it("replaces a password by the provider, and the other way round", async () => {
    const old = await api.person("Radia", PASSWORD);
    const password = () => api.ask("POST", "/v1/session", { body: { name: "radia", password: PASSWORD } });
    await api.signIn(anAccount("radia", []), { invitation: await invite("Radia") });
    expect((await api.withCookie(old, "GET", "/v1/session")).status).toBe(401);
    expect((await password()).status).toBe(401);
    const secret = await invite("Radia");
    expect((await api.ask("POST", "/v1/set-up", { body: { secret, password: PASSWORD } })).status).toBe(200);
    expect((await password()).status).toBe(200);
    expect((await api.signIn(anAccount("radia", []))).location).toBe("/sign-in?refused=no_role");
  });

  it("creates no second person", async () => {
    await api.signIn(anAccount("mary"));
    const invitation = await invite("Somebody else");
    expect((await api.signIn(anAccount("mary"), { invitation })).location).toBe("/sign-in?refused=taken");
    // The refusal has used nothing up.
    expect((await api.signIn(anAccount("annie", []), { invitation })).location).toBe("/");
  });
});

it("refuses a disabled person", async () => {
  const { cookie } = await api.signIn(anAccount("dorothy"));
  const { body } = await api.as(BOOTSTRAP, "GET", "/v1/people");
  const { id } = body.people.find(({ name }: { name: string }) => name === "dorothy@example.com");
  const change = { role: "operator", payloadRead: false, workflows: null, disabled: true, reason: "a test" };
  expect((await api.as(BOOTSTRAP, "PUT", `/v1/people/${id}`, { body: change })).status).toBe(200);
  expect((await api.withCookie(cookie, "GET", "/v1/session")).status).toBe(401);
  expect((await api.signIn(anAccount("dorothy"))).location).toBe("/sign-in?refused=kept_out");
});

it("lets in no account that a link takes from its person meanwhile", async () => {
  await api.signIn(anAccount("margaret"));
  const client = await api.database.pool.connect();
  try {
    const name = ["margaret@example.com"];
    await client.query("begin");
    await client.query("update handrail.person set role = 'viewer' where name = $1", name);
    const came = api.signIn(anAccount("margaret"));
    await until("The sign-in's wait for the person", async () => {
      const waiting = await api.sql(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return waiting.length > 0;
    });
    await client.query(
      "delete from handrail.person_identity where person_id = (select id from handrail.person where name = $1)",
      name,
    );
    await client.query("commit");
    expect((await came).location).toBe("/sign-in?refused=taken");
  } finally {
    client.release(true);
  }
});

it("ends the session that the browser came with, and keeps nothing of what binds the way back", async () => {
  const first = await api.signIn(anAccount("katherine"));
  const way = await api.begin();
  const [row] = await api.sql("select string_agg(one::text, '') as all from handrail.sign_in_flow as one");
  expect(row?.all).not.toContain(way.cookie.split("=")[1]);
  for (const name of ["state", "nonce"]) expect(row?.all).not.toContain(new URL(way.url).searchParams.get(name));
  const second = await api.comeBack(await api.provider.visit(way.url), `${way.cookie}; ${first.cookie}`);
  expect((await api.withCookie(first.cookie, "GET", "/v1/session")).status).toBe(401);
  expect((await api.withCookie(second.cookie, "GET", "/v1/session")).status).toBe(200);
  expect(await api.sql("select from handrail.sign_in_flow")).toHaveLength(0);
});

it("slows down a client that begins over and over", async () => {
  await api.sql("delete from handrail.sign_in_attempt");
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => api.ask("POST", "/v1/session/provider", { body: {} })),
  );
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  await api.sql("delete from handrail.sign_in_attempt");
});

it("records refusals in the audit, in fixed words", async () => {
  api.provider.tricks = { claims: (honest) => ({ ...honest, aud: "<script>alert(1)</script>" }) };
  expect((await api.signIn(anAccount("ida"))).location).toBe("/sign-in?refused=provider");
  api.provider.tricks = {};
  const [row] = await api.sql("select actor, act, result, after from handrail.audit order by id desc limit 1");
  expect(row).toMatchObject({ actor: "nobody", act: "sign_in", result: "denied" });
  expect(row?.after.because).toMatch(/\(OAUTH_\w+\)$/);
  expect(JSON.stringify(row)).not.toContain("script");
});

it("leaves nothing that the doctor reports", async () => {
  for (const { name, sql } of ACCESS_RULES) expect({ name, found: await api.sql(sql) }).toEqual({ name, found: [] });
  await api.sql(
    "insert into handrail.person_identity (issuer, subject, person_id, by_groups) select 'https://x', 'planted', id, true from handrail.person where name = 'hedy@example.com'",
  );
  const linked = ACCESS_RULES.find(({ name }) => name.startsWith("Every linked account of the sign-in provider"));
  expect(await api.sql(linked?.sql ?? "")).toMatchObject([{ subject: "planted" }]);
});
