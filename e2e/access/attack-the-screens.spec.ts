import type { Page } from "@playwright/test";
import { environmentWith } from "../../lib/env";
import { rawHttp } from "../../lib/testing/api/raw-http";
import { oneIn } from "../../lib/testing/sample";
import { expect, test } from "../support/console-errors";
import { type HostileRuns, hostileRuns, MARK, MARKUP, poster } from "../support/hostile-runs";
import { type OwnServer, startOwnServer } from "../support/own-server";

const TOKEN = "e2e-bootstrap-0123456789-abcdefghij";
const PASSWORD = "correct horse battery";
const CANARY = "top.attacked=1";

/**
 * With HANDRAIL_ATTACKS=full every payload begins a separate set; else there are two sets, which hold all that fits.
 */
const SETS = environmentWith({}).HANDRAIL_ATTACKS === "full" ? MARKUP.length : 2;

// What a browser says of an address at which there is nothing is no error of the page.
test.use({ person: null, expectedErrors: /status of 40[04]/ });

let server: OwnServer;
let sets: HostileRuns[];
const payloads = MARKUP.map((text) => text.replaceAll("CANARY", CANARY));
const name = '<img src=x onerror="top.attacked=1">';

test.beforeAll(async () => {
  test.setTimeout(300_000);
  server = await startOwnServer({ HANDRAIL_SIGN_IN: "on", HANDRAIL_BOOTSTRAP_TOKEN: TOKEN });
  await server.said(/Handrail is running/);
  const post = poster(server.url, TOKEN);
  sets = [];
  for (const set of oneIn(2, [...Array(SETS).keys()]))
    sets.push(await hostileRuns(post, payloads, Math.floor((set * payloads.length) / SETS)));
});
test.afterAll(() => server?.stop());

/** Signed in as a user whose name is an attack. */
async function comeIn(page: Page): Promise<void> {
  const invitation = { name, role: "admin", payloadRead: true, reason: payloads.join(" ").slice(0, 1_900) };
  const { body } = await poster(server.url, TOKEN)("/people/invitations", invitation);
  await page.goto(`${server.url}/set-up#${body.secret}`);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set the password" }).click();
  await expect(page.getByRole("navigation").first()).toBeVisible();
}

const TABS = ["timeline", "effects", "children", "events", "logs", "audit", "raw"];
const SCREENS = [
  "",
  "runs",
  "effects",
  "compensations",
  "approvals",
  "problems",
  "operations",
  "schedules",
  "workflows",
  "workers",
  "audit",
  "settings",
];

/** Every screen and tab, with what was seeded, and with attacks in its address. */
function addresses(): string[] {
  const runs = sets.flatMap(({ failed, asking, owing }) => [failed, asking, owing]);
  const tabs = runs.flatMap((runId, index) =>
    // Each tab of the first set's runs, and of the others each in turn.
    (index < 3 ? TABS : [TABS[index % TABS.length] as string, "timeline"]).map((tab) => `/runs/${runId}?tab=${tab}`),
  );
  const attack = encodeURIComponent(`"><img src=x onerror=${CANARY}>`);
  const fields = ["q", "workflow", "status", "actor", "step", "tag.x", "since", "cursor", "sort"];
  const query = fields.map((field) => `${field}=${attack}`).join("&");
  const filters = ["runs", "effects", "audit", "compensations", "problems"].map((screen) => `/${screen}?${query}`);
  const strange = [
    `/runs/${attack}`,
    `/operations/${attack}`,
    `/schedules/${attack}`,
    `/${attack}`,
    `/sign-in?next=${encodeURIComponent("javascript:top.attacked=1")}`,
    "/sign-in?next=//evil.example",
    `/sign-in?error=${attack}`,
  ];
  const all = [...SCREENS.map((screen) => `/${screen}`), ...tabs, ...filters, ...strange];
  return all;
}

test("markup in every field stays text on every screen", async ({ page }) => {
  test.setTimeout(SETS * 60_000 + 480_000);
  const wrong: string[] = [];
  page.on("dialog", (dialog) => {
    wrong.push(`a dialog at ${page.url()}: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await comeIn(page);
  let tried = 0;
  for (const address of addresses()) {
    await page.goto(server.url + address, { waitUntil: "load" });
    await page.locator("h1, [role=alert], main").first().waitFor();
    const found = await page.evaluate(() => ({
      attacked: (window.top as unknown as { attacked?: number }).attacked !== undefined,
      // None of our markup has such an attribute or element; scripts as addresses are React's own guards of its forms
      // alone.
      elements: [...document.querySelectorAll("*")]
        .filter(
          (element) =>
            [...element.attributes].some(
              ({ name, value }) =>
                /^on/.test(name) ||
                (/^(href|src|action|data|formaction|srcdoc)$/.test(name) &&
                  /^[^\w/#?]*(java\s*script|vbscript|data:).*attacked/is.test(value)),
            ) ||
            ["IFRAME", "OBJECT", "BASE", "EMBED"].includes(element.tagName) ||
            (element.tagName === "SCRIPT" && /^\s*top\.attacked/.test(element.textContent ?? "")),
        )
        .map((element) => element.outerHTML.slice(0, 200)),
      elsewhere: [...document.querySelectorAll("a[href]")]
        .map((link) => (link as HTMLAnchorElement).href)
        .filter((href) => !href.startsWith(location.origin)),
    }));
    tried += payloads.length;
    if (!page.url().startsWith(server.url)) wrong.push(`${address} led to ${page.url()}`);
    if (found.attacked || found.elements.length > 0 || found.elsewhere.length > 0)
      wrong.push(`${address}: ${JSON.stringify(found)}`);
  }
  process.stdout.write(`attacks: markup on screens: ${tried} cases\n`);
  expect(wrong).toEqual([]);
});

/** Headers that Next itself, proxies and prefetches send; none of them authenticates a request. */
const DISGUISES: Record<string, Record<string, string>> = {
  "as it is": {},
  "server components": { rsc: "1" },
  "a prefetch": { rsc: "1", "next-router-prefetch": "1" },
  "a segment": { rsc: "1", "next-router-prefetch": "1", "next-router-segment-prefetch": "/_tree" },
  "a page's segment": { rsc: "1", "next-router-segment-prefetch": "/(console)/runs/__PAGE__" },
  "a state of the router": {
    rsc: "1",
    "next-router-state-tree": encodeURIComponent('["",{"children":["(console)",{}]}]'),
  },
  "where it comes from": { rsc: "1", "next-url": "/runs" },
  "a sub-request": { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" },
  "a sub-request of before": { "x-middleware-subrequest": "src/middleware:src/middleware:src/middleware" },
  "a prefetch of the proxy": { "x-middleware-prefetch": "1" },
  "a rewrite": { "x-middleware-rewrite": "/runs", "x-rewrite-url": "/runs", "x-original-url": "/runs" },
  "a matched path": { "x-matched-path": "/runs", "x-invoke-path": "/runs", "x-now-route-matches": "1=runs" },
  "data of pages": { "x-nextjs-data": "1" },
  "an action": { "next-action": "0".repeat(42) },
  "a user of a proxy": { "x-forwarded-user": "admin", "x-forwarded-email": "a@b.c", "x-remote-user": "admin" },
  "another host of a proxy": { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
  "a made-up session": { cookie: `handrail=${"A".repeat(43)}` },
  "a made-up token": { authorization: `Bearer hr_${"A".repeat(43)}` },
};

const spellings = (path: string) => [
  path,
  `/${path}`,
  `${path}/`,
  `${path}?_rsc=abc12`,
  `${path}.rsc`,
  path.replace("r", "%72"),
  `/x/..${path}`,
];

test("an anonymous visitor sees nothing of a page, whatever the request", async () => {
  test.setTimeout(240_000);
  const [{ failed }] = sets as [HostileRuns];
  const pages = [...SCREENS.map((screen) => `/${screen}`), `/runs/${failed}`];
  const wrong: string[] = [];
  let tried = 0;
  for (const page of pages)
    for (const path of spellings(page))
      for (const [label, headers] of Object.entries(DISGUISES)) {
        if (path !== page && !["as it is", "server components", "a sub-request"].includes(label)) continue;
        tried += 1;
        const method = label === "an action" ? "POST" : "GET";
        const response = await fetch(server.url + path, { method, headers, redirect: "manual" });
        const text = await response.text();
        if (text.includes(MARK) || response.status >= 500) wrong.push(`${label} ${path}: ${response.status}`);
        if (
          response.headers.get("location")?.startsWith("http") &&
          !response.headers.get("location")?.startsWith(server.url)
        )
          wrong.push(`${label} ${path} leads to ${response.headers.get("location")}`);
      }
  process.stdout.write(`attacks: pages: ${tried} cases\n`);
  expect(wrong).toEqual([]);
});

test("the built console gives away no file and no source, takes no odd request, and believes nobody's address", async () => {
  test.setTimeout(240_000);
  const wrong: string[] = [];
  let tried = 0;
  const expectThat = (holds: boolean, label: string) => {
    tried += 1;
    if (!holds) wrong.push(label);
  };
  const html = await (await fetch(`${server.url}/sign-in`)).text();
  const scripts = [...html.matchAll(/\/_next\/static\/[\w./-]+\.js/g)].map(([path]) => path);
  const files = [
    "/.env",
    "/.git/config",
    "/package.json",
    "/prisma/schema.prisma",
    "/.handrail/audit-key",
    "/_next/server/app/page.js",
    "/_next/BUILD_ID",
    "/_next/static/../../package.json",
    "/_next/static/..%2f..%2fpackage.json",
    "/..%2f..%2fetc%2fpasswd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/_next/image?url=http://169.254.169.254/&w=64&q=75",
    "/_next/image?url=/icon.svg&w=64&q=75",
    "/_next/data/x/index.json",
    "/__nextjs_original-stack-frames",
    "/_next/webpack-hmr",
    "/api/v1/../../package.json",
    "/api/debug",
    "/debug",
    "/metrics",
  ];
  for (const path of [...files, ...new Set(scripts.map((script) => `${script}.map`))]) {
    const heard = await rawHttp(server.url, `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
    const [, status = ""] = /^HTTP\/1\.1 (\d+)/.exec(heard) ?? [];
    expectThat(
      /^(3\d\d|4\d\d)$/.test(status) && !/"dependencies"|root:x:|generator client/.test(heard),
      `${path}: ${heard.slice(0, 120)}`,
    );
  }
  const hello = "host: 127.0.0.1\r\nconnection: close\r\n";
  const odd: Record<string, string> = {
    "a web socket": `GET /runs HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    "an upgrade elsewhere": `GET http://169.254.169.254/ HTTP/1.1\r\n${hello}upgrade: h2c\r\n\r\n`,
    "two lengths": `POST /api/v1/session HTTP/1.1\r\n${hello}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
    "a length and chunks": `POST /api/v1/session HTTP/1.1\r\n${hello}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
    "chunks of another kind": `POST /api/v1/session HTTP/1.1\r\n${hello}transfer-encoding: xchunked\r\n\r\n{}`,
    "no host": "GET /api/v1/session HTTP/1.1\r\nconnection: close\r\n\r\n",
    "another host": "GET /api/v1/session HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n",
    "the empty host": "GET /sign-in HTTP/1.1\r\nhost:\r\nconnection: close\r\n\r\n",
    "no host, as HTTP/1.0 allows": "GET /sign-in HTTP/1.0\r\n\r\n",
    "another host of the sign-in": "GET /sign-in HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n",
    "half a surrogate pair below the API": `GET /api/v1/runs/%ED%A0%80 HTTP/1.1\r\n${hello}\r\n`,
    "no UTF-8 in a page's path": `GET /runs/%ff HTTP/1.1\r\n${hello}\r\n`,
    "a huge header": `GET / HTTP/1.1\r\n${hello}x: ${"x".repeat(100_000)}\r\n\r\n`,
    "a line break in a header": `GET /api/v1/session HTTP/1.1\r\n${hello}x: a\nset-cookie: b\r\n\r\n\r\n`,
    "five gigabytes": `POST /api/v1/session HTTP/1.1\r\n${hello}content-type: application/json\r\ncontent-length: 5368709120\r\n\r\n{`,
    TRACE: `TRACE / HTTP/1.1\r\n${hello}\r\n`,
    CONNECT: `CONNECT 169.254.169.254:80 HTTP/1.1\r\n${hello}\r\n`,
    PROPFIND: `PROPFIND /api/v1/runs HTTP/1.1\r\n${hello}\r\n`,
    DELETE: `DELETE /api/v1/runs HTTP/1.1\r\n${hello}\r\n`,
    "no HTTP": "\u0000\u0001\u0002\r\n\r\n",
  };
  for (const [label, text] of Object.entries(odd)) {
    const heard = await rawHttp(server.url, text);
    expectThat(
      !/^HTTP\/1\.1 (101|2\d\d|5\d\d(?! Not Implemented))/.test(heard) && !heard.includes("set-cookie: b"),
      `${label}: ${heard.slice(0, 200)}`,
    );
  }
  const api = { authorization: `Bearer ${TOKEN}` };
  for (const path of [
    "/sign-in",
    "/runs",
    "/nothing-here",
    "/api/v1/runs",
    "/api/v1/nothing",
    "/api/v1/session",
    "/api/v1/openapi.json",
    "/api/v1/audit/export?format=csv",
    "/api/health/live",
    scripts[0] ?? "/",
  ]) {
    const { headers } = await fetch(server.url + path, {
      headers: path.startsWith("/api") ? api : {},
      redirect: "manual",
    });
    const has = (name: string, value: RegExp) => value.test(headers.get(name) ?? "");
    expectThat(
      has("x-content-type-options", /^nosniff$/) && has("x-frame-options", /^DENY$/),
      `${path}: sniffed or framed`,
    );
    expectThat(has("content-security-policy", /^default-src 'none'.*frame-ancestors 'none'/), `${path}: no policy`);
    expectThat(
      !headers.has("x-powered-by") && !headers.has("server") && !headers.has("access-control-allow-origin"),
      `${path}: talks`,
    );
    if (path.startsWith("/api/v1")) expectThat(has("cache-control", /no-store/), `${path}: kept by caches`);
  }
  // Forty attempts that claim forty addresses count as forty attempts of one.
  const tries = Array.from({ length: 40 }, (_, n) => n);
  const statuses: number[] = [];
  for (const n of tries) {
    const headers = { "content-type": "application/json", "x-forwarded-for": `203.0.113.${n}, 198.51.100.${n}` };
    const body = JSON.stringify({ name: `nobody ${n}`, password: "not the password" });
    statuses.push((await fetch(`${server.url}/api/v1/session`, { method: "POST", headers, body })).status);
  }
  expectThat(statuses.at(-1) === 429, `spoofed addresses: ${statuses}`);
  process.stdout.write(`attacks: the built console: ${tried} cases\n`);
  expect(wrong).toEqual([]);
});
