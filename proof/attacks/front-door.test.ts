import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { guardFrontDoor } from "../../lib/api/http/front-door";
import { rawHttp } from "../../lib/testing/api/raw-http";
import { attackTable, unless } from "./table";

const holds = attackTable("front door");

/** Answers every request: 401 if it has a body, without reading it. */
const behind = createServer((request, response) => {
  response.writeHead(request.headers["content-length"] ? 401 : 200).end("reached");
});
let url: string;
const leave = guardFrontDoor({ origin: "https://handrail.example.com" });
beforeAll(async () => {
  behind.listen(0, "127.0.0.1");
  await once(behind, "listening");
  url = `http://127.0.0.1:${(behind.address() as AddressInfo).port}`;
});
afterAll(() => {
  leave();
  behind.closeAllConnections();
  behind.close();
});

const OURS = "host: 127.0.0.1\r\n";
const ask = (head: string, headers = OURS) => rawHttp(url, `${head}\r\n${headers}connection: close\r\n\r\n`);

const PATHS = [
  "/",
  "/api/",
  "/api/v1/runs/",
  "/runs/",
  "/_next/static/",
  "/sign-in/",
  "//",
  "/x/../",
  "/%2e%2e/",
  "/*",
];
const ESCAPES = ["%ED%A0%80", "%ff", "%", "%1", "%zz", "%c0%af", "%F4%90%80%80", "%E2%82", "%80", "a%ffb", "%25%ff"];

it("a path that is no percent-encoded UTF-8 is refused with a sentence, an id and the security headers", async () => {
  const rows = PATHS.flatMap((path) => ESCAPES.map((escaped) => `${path}${escaped}`));
  await holds(rows, async (path) => {
    const heard = await ask(`GET ${path} HTTP/1.1`);
    const whole = [
      /^HTTP\/1\.1 400 /,
      /^x-request-id: \S+/im,
      /^x-frame-options: DENY/im,
      /^content-security-policy: default-src 'none'/im,
      /^cache-control: private, no-store/im,
      /"code":"invalid_request"/,
    ].every((part) => part.test(heard));
    return unless(whole, path, heard);
  });
});

it("a target that is no path is refused", async () => {
  const targets = ["*", "http://127.0.0.1/runs", "http://evil.example/runs", "https://169.254.169.254/"];
  const lines = targets.flatMap((target) => ["GET", "OPTIONS"].map((method) => `${method} ${target} HTTP/1.1`));
  await holds(lines, async (line) => {
    const heard = await ask(line);
    return unless(/^HTTP\/1\.1 400 /.test(heard) && !heard.includes("reached"), line, heard);
  });
});

it("a method that no path has is refused before anything else looks at it", async () => {
  const methods = ["TRACE", "PROPFIND", "SEARCH", "PURGE", "MKCOL", "LOCK", "LINK", "SUBSCRIBE", "M-SEARCH", "QUERY"];
  await holds(methods, async (method) => {
    const heard = await ask(`${method} /api/v1/runs HTTP/1.1`);
    const refused = /^HTTP\/1\.1 405 /.test(heard) && /^allow: GET,HEAD,POST/im.test(heard);
    return unless(refused && !heard.includes("reached"), method, heard);
  });
});

it("every page, file and endpoint asks to be named as we are named", async () => {
  const hosts: Record<string, string> = {
    "another name": "host: evil.example\r\n",
    "ours as a sub-domain": "host: handrail.example.com.evil.example\r\n",
    "ours with a dot": "host: handrail.example.com.\r\n",
    "ours with another port": "host: handrail.example.com:8443\r\n",
    "the empty one": "host:\r\n",
    "a space": "host:  \r\n",
    "a proxy's": "host: evil.example\r\nx-forwarded-host: 127.0.0.1\r\n",
    "another, then ours": "host: evil.example\r\nhost: 127.0.0.1\r\n",
    "none, as HTTP/1.0 allows": "",
  };
  const paths = ["/", "/sign-in", "/set-up", "/icon.svg", "/_next/static/x.js", "/api/health/live", "/api/v1/session"];
  const rows = Object.entries(hosts).flatMap(([label, host]) => paths.map((path) => ({ label, host, path })));
  await holds(rows, async ({ label, host, path }) => {
    const heard = await ask(`GET ${path} HTTP/1.${host === "" ? 0 : 1}`, host);
    return unless(/^HTTP\/1\.1 400 /.test(heard) && !heard.includes("reached"), `${label}: ${path}`, heard);
  });
});

it("under another name metrics and spans alone pass, and only with a token, which the API checks", async () => {
  const [other, token] = ["host: console:3000\r\n", "authorization: Bearer x\r\n"];
  for (const line of ["GET /metrics", "GET /api/v1/metrics?workflow=a", "POST /api/v1/otlp/v1/traces"]) {
    expect(await ask(`${line} HTTP/1.1`, other + token)).toMatch(/^HTTP\/1\.1 200 .*reached/s);
    expect(await ask(`${line} HTTP/1.1`, other)).toMatch(/^HTTP\/1\.1 400 /);
    expect(await ask(`${line} HTTP/1.1`, `${other}authorization:\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  }
  const paths = [
    "/",
    "/metrics/",
    "/metrics/x",
    "/metrics%2f",
    "//metrics",
    "/api/v1/runs",
    "/api/v1/otlp/v1/traces/..",
  ];
  for (const path of paths) expect(await ask(`GET ${path} HTTP/1.1`, other + token)).toMatch(/^HTTP\/1\.1 400 /);
});

it("what is ours passes, odd as it may look", async () => {
  const asked = ["/runs", "/runs/%25ff", "/runs/%F0%9F%98%80?q=%ff", "/api/v1/runs/a%2Fb", "/api/v1/runs/%E2%80%AE"];
  for (const path of asked) expect(await ask(`GET ${path} HTTP/1.1`)).toMatch(/^HTTP\/1\.1 200 .*reached/s);
  for (const host of ["localhost:3000", "[::1]:3000", "Handrail.Example.com"])
    expect(await ask("GET / HTTP/1.1", `host: ${host}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
});

it("who was refused is heard no longer than it takes to read the refusal, however much they have to say", async () => {
  const bodies = ["content-length: 1073741824", "transfer-encoding: chunked\r\ncontent-length-is: none"];
  await holds(bodies, async (length) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.on("error", () => undefined); // the server closes the connection while we write
    let heard = "";
    socket.on("data", (chunk) => (heard += chunk.toString("latin1")));
    const closed = new Promise((resolve) => socket.on("close", resolve));
    const refused = length.startsWith("transfer") ? "TRACE" : "POST";
    socket.write(`${refused} /api/v1/runs HTTP/1.1\r\n${OURS}${length}\r\n\r\n`);
    const chunk = Buffer.alloc(65_536, 0x20);
    const startedAt = performance.now();
    const drip = setInterval(() => {
      if (length.startsWith("transfer")) socket.write(`${chunk.length.toString(16)}\r\n`);
      socket.write(chunk);
      if (length.startsWith("transfer")) socket.write("\r\n");
    }, 10);
    await closed;
    clearInterval(drip);
    const ms = performance.now() - startedAt;
    return unless(/^HTTP\/1\.1 40[15] /.test(heard) && ms < 20_000, length, { ms, heard });
  });
});

it("a body or a head that comes drop by drop has a minute", () => {
  expect(behind.requestTimeout).toBe(60_000);
  expect(behind.headersTimeout).toBe(15_000);
});
