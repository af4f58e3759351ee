import { expect, test } from "../support/console-errors";
import { headersOf } from "../support/people";
import { serverEnvironment } from "../support/server";

const EVERYWHERE = {
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy":
    "browsing-topics=(), camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
};
const NO_PAGE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PAGE =
  "default-src 'none'; script-src 'nonce-NONCE' 'strict-dynamic'; style-src 'self' 'nonce-NONCE' 'sha256-HASH' 'sha256-HASH'; " +
  "img-src 'self' data:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; " +
  "frame-ancestors 'none'";

const NONCE = /'nonce-([A-Za-z0-9+/]{22}==)'/;
const policyOf = (headers: Headers) =>
  (headers.get("content-security-policy") ?? "")
    .replaceAll(new RegExp(NONCE, "g"), "'nonce-NONCE'")
    .replaceAll(/'sha256-[^']+'/g, "'sha256-HASH'");

interface Got {
  status: number;
  headers: Headers;
  text: string;
}

const { PORT } = await serverEnvironment();
const get = async (path: string, headers: Record<string, string> = {}): Promise<Got> => {
  const aborted = new AbortController();
  const url = `http://127.0.0.1:${PORT}${path}`;
  const answer = await fetch(url, { headers, redirect: "manual", signal: aborted.signal });
  const own = answer.headers.get("location") ?? "";
  if (own.includes("_rsc=")) return get(own, headers); // the router's own parameter, which it would have sent
  const text = answer.headers.get("content-type")?.includes("event-stream") ? "" : await answer.text();
  aborted.abort();
  return { status: answer.status, headers: answer.headers, text };
};

test("every answer says what a browser may do with it", async () => {
  const operator = await headersOf("operator");
  const { text: page } = await get("/runs", operator);
  const asset = /"(\/_next\/static\/[^"]+\.js)"/.exec(page)?.[1] ?? "no script in the page";
  for (const [what, path, headers, status, policy] of [
    ["a page", "/runs", operator, 200, PAGE],
    ["a page in front of the sign-in", "/sign-in", {}, 200, PAGE],
    ["a redirect", "/runs", {}, 307, PAGE],
    ["what the router fetches ahead", "/workers", { ...operator, rsc: "1", "next-router-prefetch": "1" }, 200, PAGE],
    ["no page", "/nowhere", operator, 404, PAGE],
    ["the icon", "/icon.svg", {}, 200, PAGE],
    ["the API", "/api/v1/runs", operator, 200, NO_PAGE],
    ["a refusal of the API", "/api/v1/runs", {}, 401, NO_PAGE],
    ["nothing of the API", "/api/v1/nothing", operator, 404, NO_PAGE],
    ["metrics, where Prometheus looks", "/metrics", operator, 200, NO_PAGE],
    ["the stream", "/api/v1/stream", operator, 200, NO_PAGE],
    ["an asset", asset, {}, 200, NO_PAGE],
  ] as const) {
    const answer = await get(path, headers);
    expect(answer.status, what).toBe(status);
    for (const [name, value] of Object.entries(EVERYWHERE))
      expect(answer.headers.get(name), `${name} of ${what}`).toBe(value);
    expect(policyOf(answer.headers), `the policy of ${what}`).toBe(policy);
    expect(answer.headers.has("x-powered-by"), what).toBe(false);
    expect(answer.headers.has("strict-transport-security"), `${what}, over http`).toBe(false);
  }
});

test("a page's scripts bear the nonce of their own answer, which no outsider chooses", async () => {
  const operator = await headersOf("operator");
  const chosen = "YXR0YWNrZXJhdHRhY2tlcg==";
  const nonces = new Set<string>();
  for (const path of ["/", "/runs", "/sign-in", "/nowhere"]) {
    const asked = { "x-nonce": chosen, "content-security-policy": `script-src 'nonce-${chosen}'`, ...operator };
    const { headers, text } = await get(path, asked);
    const nonce = NONCE.exec(headers.get("content-security-policy") ?? "")?.[1] ?? "none";
    nonces.add(nonce);
    expect(nonce).not.toBe(chosen);
    expect(text).not.toContain(chosen);
    const scripts = text.match(/<script\b[^>]*>/g) ?? [];
    expect(scripts.length, path).toBeGreaterThan(3);
    expect(
      scripts.filter((script) => !script.includes(`nonce="${nonce}"`)),
      path,
    ).toEqual([]);
    expect(text.match(/<[^>]+ (on\w+|style)=/g), `inline in ${path}`).toBeNull();
  }
  expect(nonces.size).toBe(4);
});
