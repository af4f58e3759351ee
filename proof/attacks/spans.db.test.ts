import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { OTLP_PATH, requestOf, type SentSpan } from "../../lib/testing/api/otlp";
import { bearer } from "../../lib/testing/api/with-sign-in";
import { type Scene, theScene } from "./scene";
import { attackTable, unless } from "./table";

const SLOWEST_MS = 5_000;

let scene: Scene;
let token: string;
beforeAll(async () => {
  scene = await theScene();
  token = await scene.mint(["span.write"]);
});
afterAll(() => scene.close());

const holds = attackTable("spans");

/** A field of bytes. */
function field(number: number, bytes: Uint8Array): Buffer {
  const length: number[] = [];
  for (let rest = bytes.length; ; rest >>>= 7) {
    length.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest);
    if (rest <= 0x7f) break;
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes]);
}
/** A request with these parts in the place of spans: each with its tag and length. */
const nested = (spans: readonly Buffer[]) => field(1, field(2, Buffer.concat(spans)));
const spanWith = (value: Buffer) => field(2, field(9, Buffer.concat([field(1, Buffer.from("k")), field(2, value)])));

/** Lists in lists. */
function deep(levels: number): Buffer {
  let value: Buffer = Buffer.alloc(0);
  for (let level = 0; level < levels; level++) value = field(5, field(1, value));
  return value;
}

const sendBytes = (body: Uint8Array, headers: Record<string, string> = {}, by = token) =>
  scene.send("POST", OTLP_PATH, {
    body,
    headers: { "content-type": "application/x-protobuf", ...bearer(by), ...headers },
  });
const inJson = { "content-type": "application/json" };
const packed = { "content-encoding": "gzip" };

it("what is no request with spans, unfolds to more than it may, or comes without permission is refused quickly, as OTLP has it", async () => {
  const views = await scene.mint(["admin", "payload.read", "worker.work"]);
  const bound = await scene.mint(["span.write"], { name: "bound", workflows: ["user-sync"] });
  const rows: [string, number, () => Promise<Response>][] = [
    ["unpacks to 100 MB", 413, () => sendBytes(gzipSync(Buffer.alloc(100_000_000)), packed)],
    ["a bomb of JSON", 413, () => sendBytes(gzipSync(Buffer.alloc(100_000_000, " ")), { ...packed, ...inJson })],
    ["9 MB", 413, () => sendBytes(new Uint8Array(9_000_000))],
    ["10,001 spans", 413, () => sendBytes(nested(Array(10_001).fill(Buffer.from([0x12, 0]))))],
    ["a million empty parts", 413, () => sendBytes(Buffer.from("0a00".repeat(1_000_000), "hex"))],
    ["no gzip", 400, () => sendBytes(Buffer.from("hello"), packed)],
    ["cut off", 400, () => sendBytes(nested([spanWith(deep(3))]).subarray(0, 9))],
    ["no protobuf", 400, () => sendBytes(Buffer.from("ff".repeat(5_000), "hex"))],
    ["no JSON", 400, () => sendBytes(Buffer.from("{"), inJson)],
    ["another JSON", 400, () => sendBytes(Buffer.from('{"resourceSpans":1}'), inJson)],
    ["nulls in JSON", 400, () => sendBytes(Buffer.from('{"resourceSpans":[null]}'), inJson)],
    ["no UTF-8", 400, () => sendBytes(Buffer.from([0x22, 0xff, 0x22]), inJson)],
    ["brotli", 415, () => sendBytes(new Uint8Array(), { "content-encoding": "br" })],
    ["packed twice", 415, () => sendBytes(new Uint8Array(), { "content-encoding": "gzip, gzip" })],
    ["a form", 415, () => sendBytes(new Uint8Array(), { "content-type": "text/plain" })],
    ["a wrong token", 401, () => sendBytes(new Uint8Array(), {}, "no-such-token")],
    ["a token for everything else", 403, () => sendBytes(new Uint8Array(), {}, views)],
    ["a token of one workflow", 403, () => sendBytes(new Uint8Array(), {}, bound)],
  ];
  await holds(rows, async ([label, status, request]) => {
    const startedAt = performance.now();
    const response = await request();
    const ms = performance.now() - startedAt;
    const text = Buffer.from(await response.arrayBuffer()).toString();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    // A google.rpc.Status: in protobuf its field 2 is the message.
    const isStatus = isJson ? Object.keys(JSON.parse(text)).join() === "message" : text.startsWith("\u0012");
    return unless(response.status === status && ms < SLOWEST_MS && isStatus, label, {
      status: response.status,
      ms,
      text,
    });
  });
  expect(await scene.rows("select from handrail.span")).toEqual([]);
});

it("a span that is malformed is left out, and the others of its request are kept", async () => {
  const runId = scene.own.failed;
  const bad: SentSpan[] = [
    { traceId: "0".repeat(32) },
    { spanId: "xyz" },
    { startTimeUnixNano: "0" },
    { startTimeUnixNano: "18446744073709551615" },
    { startTimeUnixNano: "yesterday" },
    { name: "half a character: \ud800" },
  ];
  const count = async () => (await scene.rows("select from handrail.span")).length;
  await holds(bad, async (span) => {
    const before = await count();
    const { body } = await scene.as(token, "POST", OTLP_PATH, { body: requestOf([{ runId, ...span }, { runId }]) });
    const came = [body.partialSuccess?.rejectedSpans, (await count()) - before];
    return unless(came.join() === "1,1", JSON.stringify(span), came);
  });
  const parts = [Buffer.from([0x12, 2, 0x0a, 0x7f]), spanWith(deep(5_000)), field(2, Buffer.alloc(70_000))];
  await holds(parts, async (part) => {
    const response = await sendBytes(nested([part]));
    const [tag, , field, rejected] = new Uint8Array(await response.arrayBuffer());
    const came = [response.status, tag, field, rejected];
    return unless(came.join() === "200,10,8,1", part.subarray(0, 8).toString("hex"), came);
  });
});

it("a token that may send spans may do nothing else", async () => {
  const paths = ["/v1/runs", "/v1/overview", "/v1/metrics", "/v1/search?q=a", `/v1/runs/${scene.own.failed}/spans`];
  await holds(paths, async (path) => {
    const { status } = await scene.as(token, "GET", path);
    return unless(status === 403, path, status);
  });
});
