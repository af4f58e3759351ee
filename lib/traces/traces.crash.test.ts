import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { App } from "../app";
import { poolDb } from "../store/db";
import { rerun } from "../testing/actions";
import { anApi } from "../testing/api/api";
import { createTestDatabase, type TestDatabase } from "../testing/database/database";
import { historyOf, untilEnded, untilRun } from "../testing/database/history";
import { expectInvariants } from "../testing/database/invariants";
import { callWitness } from "../testing/database/witness";
import { aDesk } from "../testing/desk";
import { ChildWorker } from "../testing/processes/crash";
import { aSpanReceiver, attribute, type ReceivedSpan } from "../testing/traces/span-receiver";
import { until } from "../testing/until";
import { start } from "../testing/workers/a-worker";
import { traced, undone, workflows } from "../testing/workflows/traced-workflows";

const WORKFLOWS = fileURLToPath(new URL("../testing/workflows/traced-workflows.ts", import.meta.url));
const LEASE_MS = 2_500;
const CLIENT = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
const SENDER = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
const headersOf = ({ traceId, spanId }: typeof CLIENT) => ({ traceparent: `00-${traceId}-${spanId}-01` });

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  process.env.DATABASE_URL = database.url;
  await callWitness(database.pool);
  await database.pool.query("create table traced_row (run_id text not null)");
});
afterAll(() => database.drop());

type Receiver = Awaited<ReturnType<typeof aSpanReceiver>>;

async function aReceiver(): Promise<Receiver> {
  const receiver = await aSpanReceiver();
  onTestFinished(() => void receiver.close());
  return receiver;
}

function aWorker({ env }: Receiver, more: Record<string, string> = {}): ChildWorker {
  const child = ChildWorker.spawn(database, { workflows: WORKFLOWS, leaseMs: LEASE_MS, env: { ...env, ...more } });
  onTestFinished(() => child.kill());
  return child;
}

/** For what ends by TERM alone: its SDK would export far too late. */
const LATE = { HANDRAIL_TEST_EXPORT_MS: "600000" };

/** As an orchestrator does. */
async function end(worker: ChildWorker): Promise<void> {
  worker.signal("SIGTERM");
  await worker.untilEnded();
}

/** What the app did in the attempt is exported, and the attempt is on record; its span is what a kill takes away. */
async function untilInCharge({ named }: Receiver, runId: string): Promise<void> {
  await until("The app's span of the first attempt", () => named("of charge 1").length > 0);
  await untilRun(database.pool, runId, ({ steps }) => steps.some((step) => step.name === "charge"));
}

const strays = (spans: readonly ReceivedSpan[], ...known: string[]) => {
  const ids = new Set([...known, ...spans.map(({ spanId }) => spanId)]);
  return spans.filter(({ parentSpanId = "" }) => parentSpanId !== "" && !ids.has(parentSpanId)).map(({ name }) => name);
};

it("the trace of an HTTP client is whole across a SIGKILL in a step, a child, an event and a rerun", async () => {
  const receiver = await aReceiver();
  const { spans, named } = receiver;
  const killed = aWorker(receiver);
  await killed.untilReady();
  const { ask } = await anApi({ workflows } as unknown as App as never);
  const body = { workflow: traced.name, input: { secret: "hunter2-and-more" } };
  const started = await ask("POST", "/v1/runs", { body, headers: headersOf(CLIENT) });
  expect(started.status).toBe(201);
  const runId = started.body.id as string;
  await untilInCharge(receiver, runId);
  await killed.kill();

  const next = aWorker(receiver, LATE);
  await untilRun(database.pool, runId, ({ run }) => run.waiting_kind === "event");
  const event = { name: "traced.paid", key: runId, payload: {} };
  await ask("POST", "/v1/events", { body: event, headers: headersOf(SENDER) });
  expect((await untilEnded(database.pool, runId)).run).toMatchObject({ status: "failed", failed_step: "ship" });
  await rerun(aDesk(poolDb(database.pool)), {
    runId,
    step: "ship",
    keys: "keep",
    reason: "the truck is back",
  } as never);
  await untilRun(database.pool, runId, ({ run }) => run.status === "completed");
  await end(next);

  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([CLIENT.traceId]));
  expect(strays(spans, CLIENT.spanId)).toEqual([]);
  const names = new Set(spans.map(({ name }) => name));
  for (const name of ["claim traced", "step charge", "attempt charge", "transaction write", "start traced-child"])
    expect(names).toContain(name);
  // The gap is visible: the lost attempt, with what the app did in it, and that a claim was lost.
  const [lost] = named("attempt charge").filter((span) => attribute(span, "handrail.outcome") === "lost");
  expect(lost).toMatchObject({ status: { code: 2 }, events: [{ name: "attempt lost" }] });
  expect(attribute(lost as ReceivedSpan, "error.type")).toBe("worker_lost");
  expect(named("of charge 1")[0]?.parentSpanId).toBe(lost?.spanId);
  const attempts = named("attempt charge").map((span) => attribute(span, "handrail.step.attempt"));
  expect(attempts.sort()).toEqual([1, 2]);
  const claims = named("claim traced");
  expect(claims.some(({ events }) => events.some(({ name }) => name === "claim lost"))).toBe(true);
  // Each claim links to the start, and each but the first to one before it.
  for (const { links } of claims) expect(links[0]).toMatchObject(CLIENT);
  const ids = claims.map(({ spanId }) => spanId);
  expect(claims.filter(({ links }) => links.some(({ spanId }) => ids.includes(spanId)))).toHaveLength(
    claims.length - 1,
  );
  expect(named("step paid")[0]?.links).toMatchObject([SENDER]);
  // The body of an app without an SDK hands on the attempt.
  const second = named("attempt charge").find((span) => attribute(span, "handrail.step.attempt") === 2);
  const charge = (await historyOf(database.pool, runId)).steps.find(({ name }) => name === "charge");
  expect(charge?.output).toBe(`00-${CLIENT.traceId}-${second?.spanId}-01`);
  // Nothing that the workflow masks, in whatever part of a span.
  expect(JSON.stringify(spans)).not.toContain("hunter2");
  await expectInvariants(database.pool);
});

it("a run that SQL started has one trace, whose root is exported once, also when its compensation is killed", async () => {
  const receiver = await aReceiver();
  const { spans, named } = receiver;
  const killed = aWorker(receiver);
  const runId = await start(poolDb(database.pool), undone);
  await until("The app's span of the compensation", () => spans.some(({ name }) => name.startsWith("of the compens")));
  await killed.kill();
  const next = aWorker(receiver, LATE);
  await untilRun(database.pool, runId, ({ run }) => run.status === "compensated");
  await end(next);

  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([runId.replaceAll("-", "")]));
  expect(strays(spans)).toEqual([]);
  expect(named("start undone")).toHaveLength(1);
  const outcomes = named("compensation book").map((span) => attribute(span, "handrail.outcome"));
  expect(outcomes.sort()).toEqual(["completed", "lost"]);
  // It masks nothing: the message is in the span.
  expect(named("attempt fails")[0]?.status).toEqual({ code: 2, message: "no room" });
  await expectInvariants(database.pool);
});

it("with an SDK that has its own ids, one trace as well; what was lost is shown beside what it left behind", async () => {
  const receiver = await aReceiver();
  const { spans, named } = receiver;
  const killed = aWorker(receiver, { HANDRAIL_TEST_SPAN_IDS: "random" });
  await killed.untilReady();
  const { ask } = await anApi({ workflows } as unknown as App as never);
  const body = { workflow: traced.name, input: { secret: "hunter2" } };
  const started = await ask("POST", "/v1/runs", { body, headers: headersOf(CLIENT) });
  await untilInCharge(receiver, started.body.id);
  await killed.kill();
  const next = aWorker(receiver, { ...LATE, HANDRAIL_TEST_SPAN_IDS: "random" });
  await untilRun(database.pool, started.body.id, ({ run }) => run.waiting_kind === "event");
  await end(next);

  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([CLIENT.traceId]));
  expect(strays(spans, CLIENT.spanId)).toEqual(["of charge 1"]);
  expect(named("attempt charge").map((span) => attribute(span, "handrail.outcome"))).toEqual(["lost", "completed"]);
});
