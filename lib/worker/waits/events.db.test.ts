import type { PoolClient } from "pg";
import { expect, it } from "vitest";
import { z } from "zod";
import { type PrismaTransaction, prismaDb } from "../../adapters/prisma";
import { defineEvent, type EventOptions } from "../../engine/events/event";
import { prepareEvent } from "../../engine/events/prepare-event";
import { type Context, defineWorkflow } from "../../engine/workflows/workflow";
import { Notifier } from "../../store/database/notifier";
import { clientDb } from "../../store/db";
import { sendEvent } from "../../store/events/send-event";
import { rerun } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { setFaultHandler } from "../fault-points";

const engine = anEngine();

const input = z.object({ key: z.string().optional() });
let names = 0;
const aWorkflow = (code: (ctx: Context, input: { key?: string | undefined }) => Promise<unknown>) =>
  defineWorkflow({ name: `waiter-${++names}`, input }, code);

async function send(event: string, payload: unknown, options: EventOptions) {
  const sent = await sendEvent(engine.db, await prepareEvent(event, payload, options));
  const notifier = new Notifier(engine.db);
  notifier.work();
  await notifier.close();
  return sent;
}

const isDone = ({ status }: { status: string }) => status === "completed";
const untilWaiting = (runId: string) => engine.untilRun(runId, ({ run }) => run.status === "waiting");

/** Another isolation level than READ COMMITTED does not see what was committed after its first statement. */
it("an event that is sent by a transaction with an older snapshot wakes a wait that this does not see", async () => {
  const [claimed, late, held] = [gate(), gate(), gate()];
  const waitLate = async (ctx: Context) => {
    await late.opened;
    return ctx.waitForEvent("wait", { event: "old.snapshot" });
  };
  const body = () => {
    claimed.open();
    return held.opened;
  };
  const both = aWorkflow((ctx) => Promise.all([waitLate(ctx), ctx.step("held", body)]));
  const runId = await engine.start(both);
  await engine.worker([both]);
  await claimed.opened;
  const client = await engine.database.pool.connect();
  try {
    await client.query("begin isolation level repeatable read; select from handrail.run limit 1");
    late.open();
    await engine.untilRun(runId, ({ steps }) => steps.some(({ name }) => name === "wait"));
    await sendEvent(clientDb(client), await prepareEvent("old.snapshot", 7, { runId }));
    await client.query("commit");
  } finally {
    client.release();
  }
  held.open();
  expect((await engine.untilEnded(runId)).run.status).toBe("completed");
});

it("a worker whose role has another isolation level by default sees what it waited for", async () => {
  const { pool } = engine.database;
  const [claimed, held] = [gate(), gate()];
  const waiting = aWorkflow(async (ctx) => {
    claimed.open();
    await held.opened;
    return ctx.waitForEvent("wait", { event: "late.sight" });
  });
  const runId = await engine.start(waiting);
  const url = new URL(engine.database.url);
  url.searchParams.set("options", "-c default_transaction_isolation=repeatable\\ read");
  await engine.worker([waiting], { url: url.href });
  await claimed.opened;
  const client = await pool.connect();
  try {
    await client.query("begin");
    await sendEvent(clientDb(client), await prepareEvent("late.sight", 7, { runId }));
    held.open();
    const waits = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    await until("The worker waits for the sender", async () => (await pool.query(waits)).rows.length > 0);
    await client.query("commit");
  } finally {
    client.release();
  }
  expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed" });
});

const paid = aWorkflow((ctx) => ctx.waitForEvent("wait-for-payment", { event: "order.paid" }));

it("a run waits for an event without a worker, and continues with its payload", async () => {
  const runId = await engine.start(paid);
  await engine.worker([paid]);
  const waiting = await engine.untilResting(runId);
  expect(waiting.run).toMatchObject({
    status: "waiting",
    waiting_kind: "event",
    waiting_step: "wait-for-payment",
    due_at: null,
  });
  expect(await send("order.paid", { cents: 4_900n, at: new Date(0) }, { runId })).toMatchObject({ created: true });
  const { run, steps } = await engine.untilEnded(runId);
  expect(run).toMatchObject({ status: "completed", output: { cents: 4_900n, at: new Date(0) } });
  expect(steps).toMatchObject([{ kind: "event", status: "completed", attempt: 1 }]);
});

it("an event that arrives before its waiter is kept", async () => {
  const runId = await engine.start(paid);
  await send("order.paid", "early", { runId });
  await engine.worker([paid]);
  expect((await engine.untilEnded(runId)).run.output).toBe("early");
});

it("an id counts once; others arrive in order", async () => {
  const twice = aWorkflow(async (ctx) => [
    await ctx.waitForEvent("first", { event: "tick" }),
    await ctx.waitForEvent("second", { event: "tick" }),
    await ctx.waitForEvent("third", { event: "tick", timeout: 50, default: "nothing" }),
  ]);
  const runId = await engine.start(twice);
  expect(await send("tick", 1, { runId, id: "a" })).toEqual({ id: "a", created: true });
  expect(await send("tick", 1, { runId, id: "a" })).toEqual({ id: "a", created: false });
  await send("tick", 2, { runId, id: "b" });
  await engine.worker([twice]);
  expect((await engine.untilEnded(runId)).run.output).toEqual([1, 2, "nothing"]);
});

it("a business key finds the waiting run, and keeps events that no run waits for yet", async () => {
  const byKey = aWorkflow((ctx, { key }) => ctx.waitForEvent("wait", { event: "parcel.returned", key: key as string }));
  const early = await engine.start(byKey, { key: "P-1" });
  await send("parcel.returned", "one", { key: "P-1" });
  await send("parcel.returned", "two", { key: "P-2" });
  await engine.worker([byKey]);
  expect((await engine.untilEnded(early)).run.output).toBe("one");
  const late = await engine.start(byKey, { key: "P-2" });
  expect((await engine.untilEnded(late)).run.output).toBe("two");
  const other = await engine.start(byKey, { key: "P-3" });
  await untilWaiting(other);
  await send("parcel.returned", "by hand", { runId: other });
  expect((await engine.untilEnded(other)).run.output).toBe("by hand");
});

const SENT_AT = ["before the run starts", "while it waits", "while its worker is away"] as const;

it.each(SENT_AT.flatMap((first) => SENT_AT.map((second) => [first, second] as const)))(
  "of two waits of one run for one event, under different keys, each gets its own: %s and %s",
  async (...sentAt) => {
    const id = `${++names}`;
    const both = aWorkflow((ctx) =>
      Promise.all([
        ctx.waitForEvent("a", { event: "leg.booked", key: `a-${id}` }),
        ctx.waitForEvent("b", { event: "leg.booked", key: `b-${id}` }),
      ]),
    );
    // In the other order than the code waits in.
    const sendAt = async (at: (typeof SENT_AT)[number]) => {
      for (const [index, key] of ["b", "a"].entries())
        if (sentAt[index] === at) await send("leg.booked", key, { key: `${key}-${id}` });
    };
    await sendAt("before the run starts");
    const runId = await engine.start(both, {});
    const worker = await engine.worker([both]);
    if (sentAt.some((at) => at !== "before the run starts")) await untilWaiting(runId);
    await sendAt("while it waits");
    if (sentAt.includes("while its worker is away")) {
      if (sentAt.includes("while it waits")) await engine.untilRun(runId, ({ steps }) => steps.some(isDone));
      await worker.stop();
      await sendAt("while its worker is away");
      await engine.worker([both]);
    }
    expect((await engine.untilEnded(runId)).run.output).toEqual(["a", "b"]);
  },
);

it.each(["before the run starts", "while it waits"] as const)(
  "of two events that are sent to the run %s, each of its waits takes one, whatever their keys",
  async (at) => {
    const id = `${++names}`;
    const both = aWorkflow((ctx) =>
      Promise.all([
        ctx.waitForEvent("a", { event: "leg.changed", key: `a-${id}` }),
        ctx.waitForEvent("b", { event: "leg.changed" }),
      ]),
    );
    const runId = await engine.start(both, {});
    const sendBoth = async () => {
      for (const leg of [1, 2]) await send("leg.changed", leg, { runId });
    };
    if (at === "before the run starts") await sendBoth();
    const worker = await engine.worker([both]);
    if (at === "while it waits") {
      await untilWaiting(runId);
      await worker.stop();
      await sendBoth();
      await engine.worker([both]);
    }
    expect((await engine.untilEnded(runId)).run.output).toEqual([1, 2]);
  },
);

it("of two runs that wait for one key, each event goes to one: the oldest wait is first", async () => {
  const byKey = aWorkflow((ctx, { key }) => ctx.waitForEvent("wait", { event: "seat.free", key: key as string }));
  await engine.worker([byKey]);
  const first = await engine.start(byKey, { key: "K" });
  await untilWaiting(first);
  const second = await engine.start(byKey, { key: "K" });
  await untilWaiting(second);
  await send("seat.free", "A", { key: "K" });
  expect((await engine.untilEnded(first)).run.output).toBe("A");
  expect((await untilWaiting(second)).run.waiting_kind).toBe("event");
  await send("seat.free", "B", { key: "K" });
  expect((await engine.untilEnded(second)).run.output).toBe("B");
});

it("without an event, the timeout throws or returns the default", async () => {
  const impatient = aWorkflow((ctx) => ctx.waitForEvent("wait", { event: "never", timeout: "50ms" }));
  const { run, steps } = await engine.runToEnd(impatient);
  expect(run).toMatchObject({ status: "failed", failed_step: "wait", error: { code: "wait_timed_out" } });
  expect(steps).toMatchObject([{ status: "failed" }]);
  const content = aWorkflow((ctx) => ctx.waitForEvent("wait", { event: "never", timeout: "50ms", default: null }));
  expect((await engine.runToEnd(content)).run).toMatchObject({ status: "completed", output: null });
});

it("a wait that has not expired continues, however often the run is claimed", async () => {
  const two = aWorkflow((ctx) =>
    Promise.all([
      ctx.waitForEvent("soon", { event: "soon" }),
      ctx.waitForEvent("late", { event: "late", timeout: "1h", default: "nothing came" }),
    ]),
  );
  const runId = await engine.start(two);
  await engine.worker([two]);
  await engine.untilResting(runId);
  await send("soon", "first", { runId });
  await engine.untilRun(runId, ({ run, steps }) => run.status === "waiting" && steps[0]?.status === "completed");
  await send("late", "second", { runId });
  expect((await engine.untilEnded(runId)).run.output).toEqual(["first", "second"]);
});

const returned = defineEvent({ name: "parcel.weighed", payload: z.object({ grams: z.coerce.number().positive() }) });

it("a payload is checked by the sender that has its definition, and by the waiter", async () => {
  await expect(prepareEvent(returned, { grams: -1 }, {})).rejects.toMatchObject({
    code: "invalid_input",
    details: { issues: [{ path: ["grams"] }] },
  });
  const weighing = aWorkflow((ctx) => ctx.waitForEvent("weigh", { event: returned }));
  const good = await engine.start(weighing);
  await send("parcel.weighed", { grams: "12" }, { runId: good });
  const bad = await engine.start(weighing);
  await send("parcel.weighed", { grams: "heavy" }, { runId: bad });
  await engine.worker([weighing]);
  expect((await engine.untilEnded(good)).run.output).toEqual({ grams: 12 });
  expect((await engine.untilEnded(bad)).run).toMatchObject({
    status: "failed",
    failed_step: "weigh",
    error: { code: "invalid_input", message: expect.stringContaining("grams") },
  });
});

it("an event to an ended or unknown run is refused", async () => {
  const quick = aWorkflow(async () => "done");
  const { run } = await engine.runToEnd(quick);
  await expect(send("late", 1, { runId: run.id })).rejects.toMatchObject({
    code: "not_allowed",
    message: "The run no longer accepts events: it is completed.",
  });
  await expect(send("late", 1, { runId: "00000000-0000-7000-8000-000000000000" })).rejects.toMatchObject({
    code: "unknown_run",
  });
});

it("fifty events at once cost a wake-up one transaction", async () => {
  const fifty = aWorkflow((ctx) =>
    Promise.all(
      Array.from({ length: 50 }, (_, index) => ctx.waitForEvent(`wait-${index}`, { event: `event-${index}` })),
    ),
  );
  const runId = await engine.start(fifty);
  await engine.worker([fifty]);
  await engine.untilResting(runId);
  for (let index = 1; index < 50; index++)
    await sendEvent(engine.db, await prepareEvent(`event-${index}`, index, { runId }));
  await engine.untilRun(runId, ({ steps }) => steps.filter(({ status }) => status === "completed").length === 49);
  await engine.untilResting(runId);
  let transactions = 0;
  setFaultHandler((point) => {
    if (point === "events:after-commit") transactions++;
  });
  await send("event-0", 0, { runId });
  const { run } = await engine.untilEnded(runId);
  expect(run.output).toEqual(Array.from({ length: 50 }, (_, index) => index));
  expect(transactions).toBe(1);
});

it("an event reaches a run that executes another branch, before that ends", async () => {
  const held = gate<string>();
  const busy = aWorkflow((ctx) =>
    Promise.race([
      ctx.waitForEvent("stop", { event: "stop" }),
      ctx.step("long", () => held.opened, { effect: "pure" }),
    ]),
  );
  const runId = await engine.start(busy);
  await engine.worker([busy], { leaseMs: 4_000 });
  await engine.untilRun(runId, ({ steps }) =>
    steps.some(({ name, status }) => name === "stop" && status === "waiting"),
  );
  await send("stop", "stopped", { runId });
  await engine.untilRun(runId, ({ steps }) =>
    steps.some(({ name, status }) => name === "stop" && status === "completed"),
  );
  held.open("went on");
  expect((await engine.untilEnded(runId)).run.output).toBe("stopped");
});

it("a step sends an event in its own transaction, through Prisma as through pg: with its checkpoint, once", async () => {
  const hears = aWorkflow((ctx, { key }) =>
    Promise.all(["prisma", "pg"].map((way) => ctx.waitForEvent(way, { event: `sent.${way}`, key: key as string }))),
  );
  const sends = aWorkflow(async (ctx, { key = "" }) => {
    const event = (way: string) => prepareEvent(`sent.${way}`, way, { key, id: ctx.run.id });
    await ctx.transaction("prisma", async (tx) => sendEvent(prismaDb(tx as PrismaTransaction), await event("prisma")));
    await ctx.transaction("pg", async (tx) => sendEvent(clientDb(tx as unknown as PoolClient), await event("pg")), {
      client: "pg",
    });
  });
  const hearing = await engine.start(hears, { key: "both" });
  await engine.start(sends, { key: "both" });
  await engine.worker([hears, sends]);
  expect((await engine.untilEnded(hearing)).run.output).toEqual(["prisma", "pg"]);
});

it("a rerun from before the wait gets the same event again; a rerun from after it keeps the taken one", async () => {
  const runId = await engine.start(paid);
  await send("order.paid", "the first", { runId });
  await engine.worker([paid]);
  await engine.untilEnded(runId);
  await rerun(aDesk(engine.db), { runId, fromStep: "wait-for-payment", reason: "look again" });
  const { run, steps } = await engine.untilRun(runId, ({ run }) => run.status === "completed" && run.generation === 2);
  expect(run.output).toBe("the first");
  expect(steps.map(({ generation, status }) => [generation, status])).toEqual([
    [1, "completed"],
    [2, "completed"],
  ]);
});
