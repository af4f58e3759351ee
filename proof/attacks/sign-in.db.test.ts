import { afterAll, beforeAll, expect, it } from "vitest";
import { nameFingerprint, nameProblem } from "../../lib/engine/access/person-name";
import { REASON, type Scene, theScene } from "./scene";
import { attackTable, unless } from "./table";

const PASSWORD = "correct horse battery";

let scene: Scene;
beforeAll(async () => {
  scene = await theScene();
  for (const name of ["ada", "grace", "straße"]) await scene.person(name, PASSWORD);
});
afterAll(() => scene.close());

const holds = attackTable("sign-in");
const signIn = (name: unknown, password: unknown, headers: Record<string, string> = {}) =>
  scene.ask("POST", "/v1/session", { body: { name, password }, headers });
const forget = () => scene.rows("delete from handrail.sign_in_attempt");

it("nothing of the answer tells whether there is such a person", async () => {
  await scene.rows("update handrail.person set disabled_at = now() where name = 'grace'");
  const names = ["ada", "grace", "nobody", "ADA ", "root", "admin", "operator", "system", "nobody@example.com"];
  await holds(names, async (name) => {
    await forget();
    const { status, headers, body } = await signIn(name, "not the password");
    const { code, message, details } = body.error;
    const same = code === "unauthenticated" && message === "Wrong name or password.";
    const told = [...headers.keys()].sort().join();
    return unless(status === 401 && same && JSON.stringify(details) === "{}" && !told.includes("cookie"), name, body);
  });
});

it("nor does the time that it takes", async () => {
  const timed = async (name: string) => {
    await forget();
    const startedAt = performance.now();
    await signIn(name, "not the password");
    return performance.now() - startedAt;
  };
  const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1] as number;
  const [known, unknown]: [number[], number[]] = [[], []];
  await holds(
    Array.from({ length: 20 }, (_, n) => n),
    async (n) => {
      known.push(await timed("ada"));
      unknown.push(await timed(`nobody-${n}`));
      return undefined;
    },
  );
  const ratio = median(known) / median(unknown);
  expect(ratio).toBeGreaterThan(0.5);
  expect(ratio).toBeLessThan(2);
});

it("passwords and names of any shape are refused or wrong, never a failure", async () => {
  const given: [string, unknown, unknown][] = [
    ["a megabyte", "ada", "x".repeat(1_000_000)],
    ["16 kB", "ada", "x".repeat(16_000)],
    ["201 letters", "ada", "x".repeat(201)],
    ["200 letters", "ada", "x".repeat(200)],
    ["200 letters that expand", "ada", "ﷺ".repeat(200)],
    ["NUL", "ada", `${PASSWORD}\0`],
    ["half a pair", "ada", "a\ud800"],
    ["empty", "ada", ""],
    ["null", "ada", null],
    ["a truth", "ada", true],
    ["an object", "ada", { $ne: "" }],
    ["a list", "ada", [PASSWORD]],
    ["a hash", "ada", "$argon2id$v=19$m=8,t=1,p=1$YWFhYWFhYWE$YWFhYWFhYWE"],
    ["another case", "ada", PASSWORD.toUpperCase()],
    ["a space more", "ada", `${PASSWORD} `],
    ["SQL", "ada' or '1'='1", PASSWORD],
    ["a wildcard", "%", PASSWORD],
    ["a homoglyph", "аdа", PASSWORD],
    ["a zero width", "ad\u200ba", PASSWORD],
    ["a name of 100 letters that expand", "ﷺ".repeat(100), PASSWORD],
    ["a name of 101", "x".repeat(101), PASSWORD],
    ["a list of names", ["ada"], PASSWORD],
    ["an object for a name", { contains: "" }, PASSWORD],
    ["no name", "", PASSWORD],
    ["spaces", "   ", PASSWORD],
    ["capital sharp s", "STRASSE", PASSWORD],
  ];
  await holds(given, async ([label, name, password]) => {
    await forget();
    const { status } = await signIn(name, password);
    return unless([401, 413, 422].includes(status), label, status);
  });
});

it("every way to write the same name is the same account, and waits together", async () => {
  await forget();
  const ways = ["ada", "ADA", " Ada ", "ａｄａ", "ADA\u00a0", "\u2003ada"];
  for (let round = 0; round < 2; round++) for (const name of ways) await signIn(name, "not the password");
  await holds(ways, async (name) => {
    const { status, headers, body } = await signIn(name, "not the password");
    const waitS = Math.ceil(body.error.details.waitMs / 1_000);
    const said = Number(headers.get("retry-after"));
    return unless(status === 429 && said === waitS && said > 0, JSON.stringify(name), [status, said]);
  });
});

it("one address of a network counts as the whole network, however it is written", async () => {
  const ways: string[][] = [
    ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::9", "2001:DB8:0000::a:b", "2001:db8::ffff:ffff:ffff:ffff"],
    ["192.0.2.1", "::ffff:192.0.2.1", "::192.0.2.1"],
    ["fe80::1%eth0", "fe80::2%eth1", "[fe80::3]"],
  ];
  const rows = ways.flatMap((network, index) => network.map((address) => ({ index, network, address })));
  await holds(rows, async ({ index, network, address }) => {
    await forget();
    const name = `victim-${index}`;
    for (let tries = 0; tries < 8; tries++)
      await signIn(name, "x", { "x-forwarded-for": network[tries % network.length] as string });
    const { status } = await signIn(name, "x", { "x-forwarded-for": address });
    return unless(status === 429, address, status);
  });
});

it("a list of names, tried from one place with one password each, comes to its end", async () => {
  await forget();
  const answers: number[] = [];
  await holds(
    Array.from({ length: 40 }, (_, n) => n),
    async (n) => {
      answers.push((await signIn(`person-${n}`, "Summer2026!")).status);
      return undefined;
    },
  );
  expect(answers.slice(-5)).toEqual([429, 429, 429, 429, 429]);
  const elsewhere = await signIn("ada", PASSWORD, { "x-forwarded-for": "198.51.100.7" });
  expect(elsewhere.status).toBe(200);
});

it("two hundred at once neither fill the memory nor keep anybody from reading", async () => {
  await forget();
  const token = await scene.mint(["viewer"]);
  const flood = Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      signIn("ada", "not the password", { "x-forwarded-for": `203.0.113.${n % 250}` }),
    ),
  );
  await holds(
    Array.from({ length: 20 }, (_, n) => n),
    async () => {
      const startedAt = performance.now();
      const { status } = await scene.as(token, "GET", "/v1/runs?limit=1");
      const ms = performance.now() - startedAt;
      return unless(status === 200 && ms < 3_000, "a bystander", { status, ms });
    },
  );
  const statuses = new Set((await flood).map(({ status }) => status));
  expect([...statuses].filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
});

it("a link is used once, by the first of twenty", async () => {
  const invitation = { name: "racer", role: "viewer", reason: REASON };
  const { body } = await scene.boot("POST", "/v1/people/invitations", invitation);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      scene.ask("POST", "/v1/set-up", { body: { secret: body.secret, password: `a password of runner ${n}` } }),
    ),
  );
  await holds(answers, async ({ status, headers }) =>
    unless([200, 401, 503].includes(status) && headers.has("set-cookie") === (status === 200), "an answer", status),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

it("links of other makes open nothing, and none makes more than it was made for", async () => {
  const { body } = await scene.boot("POST", "/v1/people/invitations", { name: "late", role: "viewer", reason: REASON });
  const secret = body.secret as string;
  const password = "another good password";
  const bodies: [string, object][] = [
    ["no secret", { password }],
    ["an empty one", { secret: "", password }],
    ["a made-up one", { secret: "A".repeat(43), password }],
    ["another case", { secret: secret.toUpperCase(), password }],
    ["a letter less", { secret: secret.slice(0, -1), password }],
    ["a letter more", { secret: `${secret}A`, password }],
    ["padded", { secret: `${secret}=`, password }],
    ["with a space", { secret: ` ${secret}`, password }],
    ["an object", { secret: { not: "" }, password }],
    ["a list", { secret: [secret], password }],
    ["a role of one's own", { secret, password, role: "admin" }],
    ["workflows of one's own", { secret, password, workflows: null }],
    ["a weak password", { secret, password: "short" }],
    ["the name in the password", { secret, password: "late late late!" }],
    ["a few letters over and over", { secret, password: "abababababababab" }],
    ["half a pair in the password", { secret, password: "half a pair \ud800 of it" }],
  ];
  await holds(bodies, async ([label, asked]) => {
    const { status } = await scene.ask("POST", "/v1/set-up", { body: asked });
    return unless([401, 422].includes(status), label, status);
  });
  const named = await scene.ask("POST", "/v1/set-up", { body: { secret, password, name: "root" } });
  expect(named).toMatchObject({ status: 200, body: { name: "late" } });
});

it("a link to less does not take the last admin away", async () => {
  const cookie = await scene.person("the-last", PASSWORD, { role: "admin" });
  await holds(["viewer", "operator", "bound"], async (less) => {
    const grant = less === "bound" ? { role: "admin", workflows: ["user-sync"] } : { role: less };
    const asked = { name: "the-last", reason: REASON, ...grant };
    const { secret } = (await scene.boot("POST", "/v1/people/invitations", asked)).body;
    const used = await scene.ask("POST", "/v1/set-up", { body: { secret, password: "a password of the end" } });
    return unless(used.status === 409, less, used.body);
  });
  expect((await scene.withCookie(cookie, "GET", "/v1/people")).status).toBe(200);
});

it("nobody is called what is not seen, what looks like somebody else, or what Handrail goes by", async () => {
  const names = [
    ...[
      "ada\u200b",
      "\u202Eada",
      "a\u00adda",
      "ada\u3164",
      "ada\ufe0f",
      "\u0430da",
      "\u0430\u0501\u0430",
      "ad\u03b1",
      "\u00e0da",
      "ada\u0301",
    ],
    ...[
      "system",
      "SYSTEM",
      "operator",
      "0perator",
      "bootstrap token",
      "bootstrap  token",
      "\u0455\u0443\u0455\u0442\u0435\u043c",
      "nobody",
      "set-up",
    ],
  ];
  await holds(names, async (name) => {
    const invited = await scene.boot("POST", "/v1/people/invitations", { name, role: "viewer", reason: REASON });
    const asked = { name, scopes: ["viewer"], expiresInDays: 1, reason: REASON };
    const minted = await scene.boot("POST", "/v1/tokens", asked);
    // A token may be named like a user: the audit log records for each row which of the two it is.
    const alike = nameFingerprint(name) === "ada" && nameProblem(name) === null;
    const held = [409, 422].includes(invited.status) && (alike || minted.status === 422);
    return unless(held, JSON.stringify(name), [invited.status, minted.status]);
  });
  const again = await scene.boot("POST", "/v1/people/invitations", { name: "Ada", role: "operator", reason: REASON });
  expect(again.status, "a link for who is here already").toBe(201);
});

it("nobody chooses what is guessed first", async () => {
  const passwords = [
    "password1234",
    "123456789012",
    "P@ssw0rd2026",
    "qwertyuiop123",
    "1qaz2wsx3edc",
    "grace-hopper-00",
    "GraceHopper2026",
  ];
  await holds(passwords, async (password) => {
    const asked = { name: "Grace Hopper", role: "viewer", reason: REASON };
    const { secret } = (await scene.boot("POST", "/v1/people/invitations", asked)).body;
    const { status } = await scene.ask("POST", "/v1/set-up", { body: { secret, password } });
    return unless(status === 422, password, status);
  });
});
