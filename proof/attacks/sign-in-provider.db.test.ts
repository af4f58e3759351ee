import { createHmac } from "node:crypto";
import { UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SignInRefusal } from "../../lib/engine/access/provider-claims";
import { anAccount } from "../../lib/testing/api/an-account";
import { aSigningKey, type Claims, type SigningKey, signedBy, type Tricks } from "../../lib/testing/api/fake-provider";
import { anApiWithProvider, type OnTheWay } from "../../lib/testing/api/with-provider";
import { attackTable, unless } from "./table";

let api: Awaited<ReturnType<typeof anApiWithProvider>>;
let foreign: SigningKey;
beforeAll(async () => {
  [api, foreign] = await Promise.all([anApiWithProvider(), aSigningKey("key-1")]);
});
afterAll(() => api.close());

const holds = attackTable("sign-in provider");
let mallory = 0;

/** No one is signed in, no user is created, and the browser gets the reason as one of our error codes. */
const expectRefused = (attack: () => Promise<{ location: string; cookie: string }>, why: SignInRefusal) =>
  holds([attack], async (come) => {
    await api.sql("delete from handrail.sign_in_attempt");
    const count = "select (select count(*) from handrail.person) + (select count(*) from handrail.session) as n";
    const [before] = await api.sql(count);
    const { location, cookie } = await come();
    const [after] = await api.sql(count);
    const refused = location === `/sign-in?refused=${why}` && cookie === "" && before?.n === after?.n;
    return unless(refused, why, { location, cookie });
  });

interface Scene extends OnTheWay {
  back: URL;
}

/** A browser that the provider has redirected back, and that has not arrived. */
async function onTheWayBack(): Promise<Scene> {
  api.provider.tricks = {};
  api.provider.account = anAccount(`mallory-${++mallory}`, ["ops-admins"]);
  const way = await api.begin();
  return { ...way, back: await api.provider.visit(way.url) };
}

const changed = ({ back }: Scene, change: (query: URLSearchParams) => void): URL => {
  const url = new URL(back);
  change(url.searchParams);
  return url;
};
const setting = (name: string, value: string) => (scene: Scene) => changed(scene, (query) => query.set(name, value));
const adding = (name: string, value: string) => (scene: Scene) => changed(scene, (query) => query.append(name, value));
const without = (name: string) => (scene: Scene) => changed(scene, (query) => query.delete(name));
const flipped = (text: string) => (text.startsWith("0") ? "1" : "0") + text.slice(1);

it("lets in a user who comes back as they were sent", async () => {
  const { back, cookie } = await onTheWayBack();
  expect(await api.comeBack(back, cookie)).toMatchObject({
    location: "/",
    cookie: expect.stringMatching(/^handrail=/),
  });
});

describe("the way back", () => {
  it.each<[string, (scene: Scene) => Promise<[URL, string]> | [URL, string], SignInRefusal]>([
    ["in a browser without the cookie", ({ back }) => [back, ""], "begin_again"],
    ["in a browser that began another sign-in", async ({ back }) => [back, (await api.begin()).cookie], "begin_again"],
    ["with a cookie that somebody made up", ({ back }) => [back, `handrail-sign-in=${"x".repeat(43)}`], "begin_again"],
    [
      "with the state of another sign-in",
      async (own) => [setting("state", stateOf(await api.begin()))(own), own.cookie],
      "begin_again",
    ],
    [
      "with another letter in the state",
      (own) => [setting("state", flipped(stateOf(own)))(own), own.cookie],
      "begin_again",
    ],
    ["with an empty state", (own) => [setting("state", "")(own), own.cookie], "begin_again"],
    ["without a state", (own) => [without("state")(own), own.cookie], "begin_again"],
    ["with two states", (own) => [adding("state", "other")(own), own.cookie], "provider"],
    [
      "too late",
      async (own) => {
        await api.sql("update handrail.sign_in_flow set expires_at = clock_timestamp()");
        return [own.back, own.cookie];
      },
      "begin_again",
    ],
    [
      "to a Handrail that has another provider by now",
      async (own) => {
        await api.sql("update handrail.sign_in_flow set issuer = 'https://other.example'");
        return [own.back, own.cookie];
      },
      "begin_again",
    ],
    [
      "a second time",
      async (own) => {
        await api.comeBack(own.back, own.cookie);
        return [own.back, own.cookie];
      },
      "begin_again",
    ],
    ["as another issuer's (mix-up)", (own) => [setting("iss", "https://other.example")(own), own.cookie], "provider"],
    [
      "as an issuer's that only looks alike",
      (own) => [setting("iss", `${api.provider.issuer}/`)(own), own.cookie],
      "provider",
    ],
    ["without the issuer that the provider promised to name", (own) => [without("iss")(own), own.cookie], "provider"],
    ["with an error of the provider", (own) => [setting("error", "server_error")(own), own.cookie], "provider"],
    ["given up", (own) => [setting("error", "access_denied")(own), own.cookie], "cancelled"],
    ["without a code", (own) => [without("code")(own), own.cookie], "provider"],
    ["with two codes", (own) => [adding("code", "other")(own), own.cookie], "provider"],
    ["with a code that there is not", (own) => [setting("code", "made-up")(own), own.cookie], "provider"],
    [
      "with the code of another sign-in",
      async (own) => [setting("code", codeOf(await onTheWayBack()))(own), own.cookie],
      "provider",
    ],
    [
      "with a code that was used",
      async (own) => {
        const used = await onTheWayBack();
        await api.comeBack(used.back, used.cookie);
        return [setting("code", codeOf(used))(own), own.cookie];
      },
      "provider",
    ],
    [
      "with an answer as a token in the address",
      (own) => [setting("response", "e30.e30.")(own), own.cookie],
      "provider",
    ],
    ["with an ID token in the address", (own) => [setting("id_token", "e30.e30.")(own), own.cookie], "provider"],
  ])("%s", async (_, arrive, why) => {
    const [back, cookie] = await arrive(await onTheWayBack());
    await expectRefused(() => api.comeBack(back, cookie), why);
  });

  it("is sent to the provider unchanged, and exchanged with the verifier that only the browser's cookie holds", async () => {
    const before = api.provider.refused.length;
    const [own, other] = [await onTheWayBack(), await onTheWayBack()];
    await expectRefused(() => api.comeBack(setting("code", codeOf(other))(own), own.cookie), "provider");
    expect(api.provider.refused.slice(before)).toEqual(["verifier"]);
  });
});

const stateOf = ({ url }: OnTheWay) => new URL(url).searchParams.get("state") ?? "";
const codeOf = ({ back }: Scene) => back.searchParams.get("code") ?? "";

const claiming = (change: Claims) => ({ claims: (honest: Claims) => ({ ...honest, ...change }) });
const now = () => Math.floor(Date.now() / 1_000);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

function hs256(claims: Claims, secret: string): string {
  const signed = `${part({ alg: "HS256", kid: "key-1" })}.${part(claims)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

const ID_TOKENS: [string, Tricks][] = [
  ["without a nonce", claiming({ nonce: undefined })],
  ["with another nonce", claiming({ nonce: "other" })],
  ["with a nonce that is a list", { claims: (honest) => ({ ...honest, nonce: [honest.nonce] }) }],
  ["of another issuer", claiming({ iss: "https://other.example" })],
  ["of an issuer with a slash more", { claims: (honest) => ({ ...honest, iss: `${honest.iss}/` }) }],
  ["without an issuer", claiming({ iss: undefined })],
  ["for another audience", claiming({ aud: "another-client" })],
  ["for an audience that only begins like ours", claiming({ aud: "handrail-two" })],
  ["without an audience", claiming({ aud: undefined })],
  ["for several, handed on by nobody", claiming({ aud: ["handrail", "another-client"] })],
  ["for several, handed on by another", claiming({ aud: ["handrail", "another-client"], azp: "another-client" })],
  ["expired", { claims: (honest) => ({ ...honest, iat: now() - 900, exp: now() - 600 }) }],
  ["that never expires", claiming({ exp: undefined })],
  ["that expires at a text", claiming({ exp: "2099" })],
  ["that was never made", claiming({ iat: undefined })],
  ["that holds from tomorrow on", { claims: (honest) => ({ ...honest, nbf: now() + 86_400 }) }],
  ["of nobody", claiming({ sub: undefined })],
  ["of an empty subject", claiming({ sub: "" })],
  ["of a subject that is a number", claiming({ sub: 7 })],
  ["of a subject that is too long", claiming({ sub: "x".repeat(256) })],
  ["signed by another key of the same name", { idToken: (claims) => signedBy(foreign, claims) }],
  [
    "signed by a key that the provider does not publish",
    { idToken: (claims) => signedBy({ ...foreign, kid: "key-2" }, claims) },
  ],
  [
    "with a key of its own in the header",
    { idToken: (claims) => signedBy(foreign, claims, { jwk: foreign.publicJwk }) },
  ],
  [
    "with the address of another's keys in the header",
    { idToken: (claims) => signedBy(foreign, claims, { jku: "https://other.example/jwks" }) },
  ],
  [
    "with its signature cut off",
    { idToken: async (claims, key) => `${(await signedBy(key, claims)).split(".").slice(0, 2).join(".")}.` },
  ],
  [
    "with other claims than were signed",
    {
      idToken: async (claims, key) => {
        const [head, , signature] = (await signedBy(key, claims)).split(".");
        return `${head}.${part({ ...claims, sub: "subject of the admin" })}.${signature}`;
      },
    },
  ],
  ["that is not signed", { idToken: async (claims) => new UnsecuredJWT(claims).encode() }],
  ["that is not signed, in other letters", { idToken: async (claims) => `${part({ alg: "NoNe" })}.${part(claims)}.` }],
  ["signed with the client's secret", { idToken: async (claims) => hs256(claims, api.provider.clientSecret) }],
  [
    "signed with the public key as a secret",
    { idToken: async (claims, { publicJwk }) => hs256(claims, JSON.stringify(publicJwk)) },
  ],
  [
    "with a critical extension that nobody knows",
    {
      idToken: async (claims, key) => {
        const [, body, signature] = (await signedBy(key, claims)).split(".");
        return `${part({ alg: "RS256", kid: key.kid, crit: ["x"], x: 1 })}.${body}.${signature}`;
      },
    },
  ],
  ["that is no token", { idToken: async () => "not.a.token" }],
  ["that is not there", { idToken: async () => null }],
  ["in an answer that is none", { tokens: () => ({ text: "<html>Sign in</html>" }) }],
  ["in an answer of another kind", { tokens: (body) => ({ text: JSON.stringify({ ...body, token_type: "mac" }) }) }],
  ["beside an error", { tokens: (body) => ({ status: 500, text: JSON.stringify(body) }) }],
];

describe("an ID token", () => {
  it.each(ID_TOKENS)("%s", async (_, tricks) => {
    const { back, cookie } = await onTheWayBack();
    api.provider.tricks = tricks;
    await expectRefused(() => api.comeBack(back, cookie), "provider");
  });
});

describe("an e-mail address", () => {
  it.each<[string, Claims]>([
    ["that is not verified", { email_verified: false }],
    ["of which nobody says so", { email_verified: undefined }],
    ["verified in a text", { email_verified: "true" }],
    ["verified in a number", { email_verified: 1 }],
    ["that is not there", { email: undefined }],
    ["that is a list", { email: ["ada@example.com"] }],
    ["that is no address", { email: "admin" }],
    ["with a line break", { email: "ada@example.com\nadmin" }],
    ["that turns its direction", { email: "ada\u202e@example.com" }],
    ["with a letter that is not seen", { email: "ada\u200b@example.com" }],
    ["that is too long", { email: `${"a".repeat(200)}@example.com` }],
  ])("%s", async (_, change) => {
    const { back, cookie } = await onTheWayBack();
    api.provider.tricks = claiming(change);
    await expectRefused(() => api.comeBack(back, cookie), "unverified");
  });
});

describe("a group", () => {
  it.each<[unknown]>([
    ["ops-admin"],
    ["xops-admins"],
    ["ops-admins-x"],
    [" ops-admins"],
    ["ops-admins "],
    ["ops-admins\n"],
    ["OPS-ADMINS"],
    ["ops-admins,ops"],
    ["ops-admins|x"],
    ["ops-admins;ops"],
    ["/ops-admins"],
    [".*"],
    ["^ops-admins$"],
    ["ops%2Dadmins"],
    ["ｏps-admins"],
    ["оps-admins"],
    ["ops\u2010admins"],
    ["ops-admins\u0000"],
    ["__proto__"],
    ["constructor"],
    ["toString"],
    [""],
    [[["ops-admins"]]],
    [[{ name: "ops-admins" }]],
    [{ "ops-admins": true }],
    [{ 0: "ops-admins", length: 1 }],
    [[7, null, true]],
    [null],
    [true],
  ])("%j is none that has a role", async (groups) => {
    const { back, cookie } = await onTheWayBack();
    api.provider.tricks = claiming({ groups });
    await expectRefused(() => api.comeBack(back, cookie), "no_role");
  });

  it("in another claim is none", async () => {
    const { back, cookie } = await onTheWayBack();
    api.provider.tricks = claiming({ groups: undefined, roles: ["ops-admins"], role: "admin", "": ["ops-admins"] });
    await expectRefused(() => api.comeBack(back, cookie), "no_role");
  });
});

describe("the page to come to", () => {
  it.each([
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/.//evil.example",
    "/%2e//evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "@evil.example",
    "/runs\r\nset-cookie: handrail=x",
  ])("is one of ours: %j", async (next) => {
    await holds([next], async () => {
      await api.sql("delete from handrail.sign_in_attempt");
      const { location } = await api.signIn(anAccount("somebody"), { next });
      const ours = /^\/([^/\\]|$)/.test(location) && new URL(location, "http://ours").host === "ours";
      return unless(ours, next, location);
    });
  });
});

it("is begun by no other site, and finished by no other method or host", async () => {
  const { back, cookie } = await onTheWayBack();
  const path = `/v1/session/provider/callback${back.search}`;
  const rows: [string, string, Record<string, string>, number][] = [
    ["POST", "/v1/session/provider", { origin: "https://evil.example" }, 400],
    ["POST", "/v1/session/provider", { "sec-fetch-site": "cross-site" }, 400],
    ["POST", path, { cookie }, 405],
    ["GET", path, { cookie, host: "evil.example" }, 400],
  ];
  await holds(rows, async ([method, address, headers, expected]) => {
    const { status } = await api.ask(method, address, { headers, ...(method === "POST" && { body: {} }) });
    return unless(status === expected, `${method} with ${Object.keys(headers)}`, status);
  });
  expect((await api.comeBack(back, cookie)).location).toBe("/");
});
