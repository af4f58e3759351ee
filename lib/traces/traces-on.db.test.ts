import { context, SpanKind, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { afterEach, beforeAll, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { systemCaller } from "../engine/audit/audit";
import { defineSchedule } from "../engine/schedules/schedule";
import type { TraceText } from "../engine/traces/trace-context";
import { defineWorkflow } from "../engine/workflows/workflow";
import { codeHere } from "../engine/workflows/workflow-code";
import { createHandrail } from "../library/handrail";
import { carryOut } from "../operator/actions/command";
import { backfill, fireNow } from "../operator/schedules/schedules";
import { Notifier } from "../store/database/notifier";
import { syncSchedules } from "../store/schedules/sync-schedules";
import { registerWorker } from "../store/workers/workers";
import { TEST_AUDIT_KEYS } from "../testing/audit-keys";
import { anEngine } from "../testing/workers/engine";
import { fireDueSchedules } from "../worker/schedules/fire-schedules";
import { spanIds } from "./span-ids";
import { activeIds, runTraceId } from "./tracing";

const exporter = new InMemorySpanExporter();
const engine = anEngine();
beforeAll(() => {
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  new NodeTracerProvider({ idGenerator: spanIds, spanProcessors }).register();
});
afterEach(() => exporter.reset());

const GIVEN = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const greeted = defineWorkflow({ name: "greeted", input: z.object({}), on: "greeting" }, (ctx) =>
  ctx.step("greet", ({ log }) => {
    log("greeting");
    return activeIds()?.traceId;
  }),
);
const nameOf = (name: string) => exporter.getFinishedSpans().find((span) => span.name === name);
const traceOf = async (id: string) =>
  (await engine.rows<{ trace: string | null }>("select trace from handrail.run where id = $1", [id]))[0]?.trace;

const aDesk = () => ({
  ...{
    db: engine.db,
    notifier: new Notifier(engine.db),
    by: systemCaller("mia"),
    auditKeys: TEST_AUDIT_KEYS,
    request: null,
  },
});

function anApp() {
  const handrail = createHandrail({ workflows: [greeted], databaseUrl: engine.database.url });
  onTestFinished(() => handrail.close());
  return handrail;
}

it("a start is a span in the active one, and the run keeps its context", async () => {
  const span = trace.getTracer("app").startSpan("request");
  const { id } = await context.with(trace.setSpan(context.active(), span), () => anApp().start(greeted, {}));
  const started = nameOf("start greeted");
  expect(started).toMatchObject({ kind: SpanKind.PRODUCER, attributes: { "handrail.run.id": id } });
  expect(started?.parentSpanContext?.spanId).toBe(span.spanContext().spanId);
  const { traceId, spanId } = started?.spanContext() ?? {};
  expect(await traceOf(id)).toBe(`00-${traceId}-${spanId}-01`);

  // The span of its attempt is active in the body, for log lines as for the app's own spans.
  await engine.worker([greeted]);
  const { steps } = await engine.untilEnded(id);
  expect(steps[0]?.output).toBe(traceId);
  const [line] = await engine.rows("select trace_id from handrail.log where run_id = $1", [id]);
  expect(line).toEqual({ trace_id: traceId });
  expect(runTraceId({ id, trace: (await traceOf(id)) ?? null })).toBe(traceId);
});

it("a traceparent by name is preferred to the active span; an invalid one is refused before anything is written", async () => {
  const handrail = anApp();
  const span = trace.getTracer("app").startSpan("request");
  const how = { traceparent: GIVEN, tracestate: "vendor=a" };
  const { id } = await context.with(trace.setSpan(context.active(), span), () => handrail.start(greeted, {}, how));
  const started = nameOf("start greeted");
  expect(started?.parentSpanContext).toMatchObject({ spanId: "00f067aa0ba902b7", isRemote: true });
  expect(await traceOf(id)).toBe(`00-4bf92f3577b34da6a3ce929d0e0e4736-${started?.spanContext().spanId}-01 vendor=a`);

  const runs = async () => (await engine.rows("select from handrail.run")).length;
  const before = await runs();
  const invalid = { traceparent: "nonsense" };
  await expect(handrail.start(greeted, {}, invalid)).rejects.toThrow(/not a W3C trace context/);
  await expect(handrail.send("greeting", {}, invalid)).rejects.toThrow(/not a W3C trace context/);
  expect(await runs()).toBe(before);
});

it("a run whose trace is not sampled makes no spans, and its bodies hand that on", async () => {
  const unsampled = `${GIVEN.slice(0, -1)}0`;
  const { id } = await anApp().start(greeted, {}, { traceparent: unsampled });
  expect(await traceOf(id)).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[\da-f]{16}-00$/);
  await engine.worker([greeted]);
  const { steps } = await engine.untilEnded(id);
  expect(steps[0]?.output).toBe("4bf92f3577b34da6a3ce929d0e0e4736");
  const spans = exporter.getFinishedSpans().filter(({ attributes }) => attributes["handrail.run.id"] === id);
  expect(spans.map(({ name }) => name)).toEqual([]);
});

it("an event hands its trace to the runs that it starts", async () => {
  await engine.worker([greeted]);
  await anApp().send("greeting", {}, { id: "g-1", traceparent: GIVEN });
  const sent = nameOf("send greeting");
  expect(sent).toMatchObject({ kind: SpanKind.PRODUCER, parentSpanContext: { spanId: "00f067aa0ba902b7" } });
  const [run] = await engine.rows<{ id: string; trace: string }>(
    "select id, trace from handrail.run where idempotency_key = 'event:greeting:g-1'",
  );
  expect(run?.trace).toBe(`00-4bf92f3577b34da6a3ce929d0e0e4736-${sent?.spanContext().spanId}-01`);
  await engine.untilEnded(run?.id as string);
});

it("a schedule's run begins a trace, whatever is active where its worker happens to be", async () => {
  const hourly = defineSchedule({ name: "hourly", workflow: greeted, everyMs: 3_600_000, input: {} });
  await syncSchedules(engine.db, [hourly]);
  await engine.rows("update handrail.schedule set nominal_at = now() - interval '1 h', look_at = now()");
  const worker = { name: "scheduler", concurrency: 1, leaseMs: 60_000, workflows: ["greeted"], schedules: ["hourly"] };
  const workerId = await registerWorker(engine.db, worker);
  const span = trace.getTracer("app").startSpan("whatever");
  const { started } = await context.with(trace.setSpan(context.active(), span), () =>
    fireDueSchedules(engine.db, workerId, new Map([["greeted", greeted]]), TEST_AUDIT_KEYS),
  );
  const spans = exporter.getFinishedSpans().filter(({ name }) => name === "start greeted");
  expect(spans.map(({ parentSpanContext }) => parentSpanContext)).toEqual(started.map(() => undefined));
  expect(started.length).toBeGreaterThan(0);
  for (const [index, id] of started.entries())
    expect(await traceOf(id)).toContain(spans[index]?.spanContext().traceId as string);
});

it("runs that people start of a schedule are in the trace of their request", async () => {
  const half = defineSchedule({ name: "half-hourly", workflow: greeted, everyMs: 1_800_000, input: {} });
  await syncSchedules(engine.db, [half]);
  const [desk, code] = [{ ...aDesk(), trace: GIVEN as TraceText }, codeHere([greeted])];
  const now = await fireNow(desk, code, { name: "half-hourly", reason: "At once" });
  const from = new Date(Date.now() - 5_400_000).toISOString();
  const past = { name: "half-hourly", reason: "It was paused", from, to: new Date().toISOString() };
  const { runIds } = await backfill(desk, code, past);
  expect(runIds.length).toBeGreaterThan(1);
  for (const id of [...now.runIds, ...runIds]) {
    const span = exporter.getFinishedSpans().find(({ attributes }) => attributes["handrail.run.id"] === id);
    expect(span?.parentSpanContext?.spanId).toBe("00f067aa0ba902b7");
    expect(await traceOf(id)).toBe(`00-4bf92f3577b34da6a3ce929d0e0e4736-${span?.spanContext().spanId}-01`);
  }
});

it("a run that is started again has its own trace, which begins with its start", async () => {
  const runId = await engine.start(greeted, {});
  await engine.worker([greeted]);
  await engine.untilEnded(runId);
  exporter.reset();
  const desk = { ...aDesk(), code: codeHere([greeted]), trace: GIVEN as TraceText };
  await carryOut(desk, { act: "start_again", runId, params: {}, reason: "Once more" });
  const started = nameOf("start greeted");
  expect(started?.parentSpanContext).toBeUndefined();
  const id = started?.attributes["handrail.run.id"] as string;
  expect(id).not.toBe(runId);
  expect(await traceOf(id)).toContain(started?.spanContext().traceId as string);
});

it("SQL starts a run in the trace that it names, and refuses what is none", async () => {
  const start = (traceparent: string) =>
    engine.rows<{ id: string }>("select handrail.start_run('greeted', '{}', traceparent => $1)::text as id", [
      traceparent,
    ]);
  await engine.worker([greeted]);
  const [run] = await start(GIVEN);
  expect((await engine.untilEnded(run?.id as string)).steps[0]?.output).toBe("4bf92f3577b34da6a3ce929d0e0e4736");
  await expect(start("nonsense")).rejects.toMatchObject({ code: "22023" });
  await expect(engine.rows("select handrail.send_event('greeting', '{}', traceparent => '00-1')")).rejects.toThrow(
    /not a W3C trace context/,
  );
});
