import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtoExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { poolDb } from "../../store/db";
import { OTLP_PATH as PATH, randomHex, requestOf, type SentSpan } from "../../testing/api/otlp";
import { anApiWithSignIn, bearer } from "../../testing/api/with-sign-in";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { startProxy, type TestProxy } from "../../testing/database/proxy";
import { withPayloadKeys } from "../../testing/payload-keys";
import { aRun } from "../../testing/rows/a-run";
import { until } from "../../testing/until";

const OTLP_TOKEN = "otlp-0123456789-abcdefghijklmnopqrst";

let database: TestDatabase;
let proxy: TestProxy;
let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
let web: Server;
let url: string;
let tokens: Record<"writes" | "views" | "reads", string>;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startProxy(database.url);
  api = await anApiWithSignIn({
    DATABASE_URL: proxy.url,
    HANDRAIL_OTLP_TOKEN: OTLP_TOKEN,
    HANDRAIL_TRACE_URL: "https://tempo.example.com/trace/{traceId}",
  });
  const [writes, views, reads] = [
    await api.mint(["span.write"]),
    await api.mint(["viewer"]),
    await api.mint(["viewer", "payload.read"]),
  ];
  tokens = { writes, views, reads };
  web = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => /^(content-(type|encoding)|authorization)$/.test(name)),
    ) as Record<string, string>;
    const path = (request.url as string).slice("/api".length);
    const answer = await api.send(request.method as string, path, { headers, body: Buffer.concat(chunks) });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  }).listen(0, "127.0.0.1");
  await once(web, "listening");
  url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/api${PATH}`;
});
afterAll(async () => {
  web.closeAllConnections();
  web.close();
  await proxy.close();
  await api.close();
  await database.drop();
});

const db = () => poolDb(database.pool);
const rows = async <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await database.pool.query(text, values)).rows as Row[];
const kept = async (runId: string) =>
  (await rows<{ count: number }>("select count(*)::int as count from handrail.span where run_id = $1", [runId]))[0]
    ?.count;
const send = (spans: SentSpan[], token = tokens.writes) => api.as(token, "POST", PATH, { body: requestOf(spans) });
const sendBytes = (body: Uint8Array, headers: Record<string, string> = {}, token = tokens.writes) =>
  api.send("POST", PATH, { body, headers: { "content-type": "application/x-protobuf", ...bearer(token), ...headers } });
const spansOf = async (runId: string, token = tokens.reads) =>
  (await api.as(token, "GET", `/v1/runs/${runId}/spans`)).body;

describe.each([
  ["protobuf", ProtoExporter],
  ["JSON", JsonExporter],
])("an OpenTelemetry SDK that exports %s", (_, Exporter) => {
  const exporterOf = (token: string, more: object = {}): SpanExporter =>
    new Exporter({ url, headers: bearer(token), ...more });

  /** A step's span with a request below it that failed. */
  async function traced(exporter: SpanExporter, runId: string) {
    const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
    const tracer = provider.getTracer("test");
    const step = tracer.startSpan("attempt charge", {
      attributes: { "handrail.run.id": runId, "handrail.step.attempt": 2 },
    });
    const within = trace.setSpan(context.active(), step);
    const call = tracer.startSpan(
      "POST",
      { attributes: { "http.request.method": "POST", "url.full": "https://pay/9" } },
      within,
    );
    call.recordException(new Error("declined"));
    call.setStatus({ code: SpanStatusCode.ERROR, message: "declined" });
    call.end();
    step.end();
    await provider.forceFlush();
    return { provider, traceId: step.spanContext().traceId };
  }

  it.each(["none", "gzip"])("is understood, packed with %s", async (compression) => {
    const runId = await aRun(db()).completed();
    const { provider, traceId } = await traced(exporterOf(tokens.writes, { compression }), runId);
    const { spans } = await spansOf(runId);
    // Both may have begun within one microsecond.
    const named = (name: string) => spans.find((span: SentSpan) => span.name === name);
    expect([named("attempt charge"), named("POST")]).toMatchObject([
      {
        name: "attempt charge",
        traceId,
        parentSpanId: null,
        status: "unset",
        attributes: { "handrail.step.attempt": 2 },
      },
      {
        ...{
          name: "POST",
          traceId,
          parentSpanId: named("attempt charge").spanId,
          status: "error",
          statusMessage: "declined",
        },
        attributes: { "http.request.method": "POST", "url.full": "https://pay/9" },
        events: [{ name: "exception", attributes: { "exception.message": "declined" } }],
      },
    ]);
    await provider.shutdown();
  });

  it("sends again while the database hangs, and loses nothing", async () => {
    const runId = await aRun(db()).completed();
    const lock = await database.pool.connect();
    await lock.query("begin; lock table handrail.span in access exclusive mode");
    const exported = traced(exporterOf(OTLP_TOKEN, { timeoutMillis: 30_000 }), runId);
    await until("an insert waits for the lock", async () => {
      const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%handrail.span%'";
      return (await rows(waiting)).length > 0;
    });
    await new Promise((resolve) => setTimeout(resolve, 4_500));
    await lock.query("rollback");
    lock.release();
    const { provider } = await exported;
    await until("both spans are kept", async () => (await kept(runId)) === 2);
    await provider.shutdown();
  }, 60_000);

  it("gets an error for a token that may not send spans", async () => {
    const spans: ReadableSpan[] = [];
    const provider = new TracerProvider({
      spanProcessors: [
        { onStart() {}, onEnd: (span) => void spans.push(span), forceFlush: async () => {}, shutdown: async () => {} },
      ],
    });
    provider.getTracer("test").startSpan("work").end();
    for (const [token, status] of [
      [tokens.reads, 403],
      ["no-such-token", 401],
    ] as const) {
      const result = await new Promise<{ error?: Error & { code?: number } }>((resolve) =>
        exporterOf(token).export(spans, resolve),
      );
      expect(result.error?.code).toBe(status);
    }
  });
});

describe("a span is kept", () => {
  it("once, however often and in whatever company it is sent again", async () => {
    const runId = await aRun(db()).completed();
    const spans = [1, 2, 3].map((n) => ({ runId, traceId: randomHex(32), spanId: randomHex(16), name: `n${n}` }));
    expect((await send(spans)).body).toEqual({});
    const again = [...spans, ...spans, { runId, name: "new" }];
    expect((await Promise.all([send(again), send(again)])).map(({ body }) => body)).toEqual([{}, {}]);
    expect(await kept(runId)).toBe(5); // "new" has another id each time that it is made
  });

  it("when its trace is that of a run, by the run's traceparent or its id, or by a span that names a run", async () => {
    const [byStart, byId, bySpan] = [
      await aRun(db()).completed(),
      await aRun(db()).completed(),
      await aRun(db()).completed(),
    ];
    const [given, chosen] = [randomHex(32), randomHex(32)];
    await rows("update handrail.run set trace = $2 where id = $1", [byStart, `00-${given}-00f067aa0ba902b7-01 a=b`]);
    await send([{ runId: bySpan, traceId: chosen }]);
    const own = byId.replaceAll("-", "");
    await send([given, own, chosen].map((traceId) => ({ traceId, name: "app" })));
    for (const [runId, traceId] of [
      [byStart, given],
      [byId, own],
      [bySpan, chosen],
    ] as const)
      expect((await spansOf(runId)).spans.filter(({ name }: SentSpan) => name === "app")).toMatchObject([{ traceId }]);
    expect(await rows("select from handrail.span where held_until is not null")).toEqual([]);
    expect(await spansOf(byStart)).toMatchObject({
      traceId: given,
      traceUrl: `https://tempo.example.com/trace/${given}`,
    });
  });

  it("when the run's start commits after it was sent, within ten minutes; later it is gone", async () => {
    const runId = uuidv7();
    const [late, never] = [randomHex(32), randomHex(32)];
    await send([{ traceId: late, name: "before" }, { traceId: never }, { runId, name: "named before" }]);
    await aRun(db(), { id: runId }).completed();
    await rows("update handrail.run set trace = $2 where id = $1", [runId, `00-${late}-00f067aa0ba902b7-01`]);
    const names = async () => (await spansOf(runId)).spans.map(({ name }: SentSpan) => name).sort();
    expect(await names()).toEqual(["before", "named before"]);
    const held = "select from handrail.span where held_until is not null";
    expect(await rows(held)).toHaveLength(3);
    await rows("update handrail.span set held_until = clock_timestamp() where held_until is not null");
    await send([{ runId }]);
    expect(await rows(held)).toEqual([]);
    expect(await names()).toEqual(["before", "named before", "work"]);
    expect(await rows("select from handrail.span where trace_id = $1", [never])).toEqual([]);
  });

  it("up to 2,000 of a run, and the sender hears of the others once", async () => {
    const runId = await aRun(db()).completed();
    const spans = Array.from({ length: 10_000 }, (_, n) => ({
      ...{ runId, traceId: randomHex(32), spanId: randomHex(16) },
      startTimeUnixNano: `${Date.now() + n}000000`,
    }));
    const { status, body } = await send(spans, OTLP_TOKEN);
    expect(status).toBe(200);
    expect(body.partialSuccess).toEqual({
      rejectedSpans: "8000",
      errorMessage: "Spans were not kept: 8000 of runs or traces that have 2,000 spans already.",
    });
    expect(await kept(runId)).toBe(2_000);
    expect((await send(spans.slice(0, 2_000), OTLP_TOKEN)).body).toEqual({});
    const pages: number[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body }: { body: { spans: unknown[]; nextCursor: string | null; full: boolean } } = await api.as(
        tokens.reads,
        "GET",
        `/v1/runs/${runId}/spans${cursor && `?cursor=${cursor}`}`,
      );
      expect(body.full).toBe(true);
      pages.push(body.spans.length);
      cursor = body.nextCursor;
    }
    expect(pages).toEqual([500, 500, 500, 500]);
  });

  it("with as much of what it says as fits", async () => {
    const runId = await aRun(db()).completed();
    const attributes = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`k${n}`, "x\0é".repeat(1_000)]));
    await send([{ runId, attributes }]);
    const [span] = (await spansOf(runId)).spans;
    expect(Object.keys(span.attributes).length + span.leftOut).toBe(61);
    expect(span.leftOut).toBeGreaterThan(40);
    expect(span.attributes.k0).toHaveLength(1_000);
  });

  it("sealed, where payloads are", async () => {
    const runId = await aRun(db()).completed();
    setKeys("a");
    await send([{ runId, attributes: { "url.full": "https://secret" } }]);
    expect((await spansOf(runId)).spans).toMatchObject([{ attributes: { "url.full": "https://secret" } }]);
    const [row] = await rows<{ detail: string }>("select detail from handrail.span where run_id = $1", [runId]);
    expect(row?.detail).toMatch(/^\{"\$type":"sealed","key":"a"/);
    setKeys("b");
    expect((await spansOf(runId)).spans).toMatchObject([{ name: "work", attributes: { locked: expect.any(String) } }]);
  });
  const setKeys = withPayloadKeys();
});

it("while the network to the database is silent, a sender is asked at once to come again; what was acknowledged is there after", async () => {
  const runId = await aRun(db()).completed();
  expect((await send([{ runId }])).status).toBe(200);
  proxy.goBlack();
  const startedAt = performance.now();
  const answers = await Promise.all(
    [OTLP_TOKEN, OTLP_TOKEN, OTLP_TOKEN, OTLP_TOKEN, OTLP_TOKEN, tokens.writes].map((token) =>
      sendBytes(Buffer.from(JSON.stringify(requestOf([{ runId }]))), { "content-type": "application/json" }, token),
    ),
  );
  expect(performance.now() - startedAt).toBeLessThan(7_000);
  for (const { status, headers } of answers) {
    expect(status).toBe(503);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
  proxy.heal();
  await until("the console has new connections", async () => (await send([{ runId }])).status === 200);
  expect(await kept(runId)).toBeGreaterThanOrEqual(2);
}, 60_000);
