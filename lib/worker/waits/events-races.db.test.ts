import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { z } from "zod";
import type { EventOptions } from "../../engine/events/event";
import { prepareEvent } from "../../engine/events/prepare-event";
import { type Context, defineWorkflow } from "../../engine/workflows/workflow";
import { Notifier } from "../../store/database/notifier";
import { clientDb } from "../../store/db";
import { sendEvent } from "../../store/events/send-event";
import { answerApproval, cancel } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();

/** Enough for every interleaving of two short transactions, on a busy machine, to come up. */
const ROUNDS = 120;

const input = z.object({ key: z.string().optional(), naps: z.number().optional() });
type Input = z.infer<typeof input>;
const aWorkflow = (name: string, code: (ctx: Context, input: Input) => Promise<unknown>) =>
  defineWorkflow({ name, input }, code);

const send = async (event: string, payload: unknown, options: EventOptions) =>
  sendEvent(engine.db, await prepareEvent(event, payload, options));
const wakeWorkers = async () => {
  const notifier = new Notifier(engine.db);
  notifier.work();
  await notifier.close();
};

const byKey = aWorkflow("race-by-key", (ctx, { key }) => ctx.waitForEvent("wait", { event: "go", key: key as string }));
const byRun = aWorkflow("race-by-run", (ctx) => ctx.waitForEvent("wait", { event: "go" }));

it("an answer that comes while another branch works is not forgotten when that branch begins a wait", async () => {
  const work = gate();
  const begun = gate();
  const asks = aWorkflow("asks-beside-work", (ctx) =>
    Promise.all([
      ctx.approval("ok", { question: "Go on?" }),
      ctx
        .step("work", () => {
          begun.open();
          return work.opened;
        })
        .then(() => ctx.waitForEvent("other", { event: "never" })),
    ]),
  );
  // Its second beat, which would find the answer by itself, is far away.
  await engine.worker([asks], { leaseMs: 60_000 });
  const runId = await engine.start(asks);
  await begun.opened;
  const stepOf = async (name: string) => (await engine.historyOf(runId)).steps.find((step) => step.name === name);
  await until("The question", async () => (await stepOf("ok"))?.status === "waiting");
  await answerApproval(aDesk(engine.db), { runId, step: "ok", choice: "approve" });
  work.open();
  await until("The answer's outcome", async () => (await stepOf("ok"))?.status === "completed", 10_000);
  await cancel(aDesk(engine.db), { runId, reason: "the test is over" });
});

it("a sender and a waiter that commit at the same instant never miss each other", async () => {
  await engine.worker([byKey, byRun]);
  const rounds = Array.from({ length: ROUNDS }, async (_, round) => {
    const key = `K-${round}`;
    const keyed = await engine.start(byKey, { key });
    const plain = await engine.start(byRun);
    // Anywhere from before the claim to after the rest.
    await delay(Math.random() * 60);
    await Promise.all([send("go", round, { key }), send("go", round, { runId: plain })]);
    return { keyed, plain, round };
  });
  const runs = await Promise.all(rounds);
  await wakeWorkers();
  for (const { keyed, plain, round } of runs)
    for (const runId of [keyed, plain]) expect((await engine.untilEnded(runId)).run.output).toBe(round);
}, 120_000);

it("a sender with an open transaction is awaited, or wakes the waiter when it commits", async () => {
  const client = await engine.database.pool.connect();
  try {
    await client.query("begin");
    await sendEvent(clientDb(client), await prepareEvent("go", "late", { key: "held" }));
    const runId = await engine.start(byKey, { key: "held" });
    await engine.worker([byKey]);
    await engine.untilRun(runId, ({ run }) => run.status === "running");
    await delay(100);
    expect((await engine.historyOf(runId)).run.status).toBe("running");
    await client.query("commit");
    expect((await engine.untilEnded(runId)).run.output).toBe("late");
  } finally {
    client.release();
  }
});

it("an event whose transaction is rolled back was never sent, and its id counts later", async () => {
  const client = await engine.database.pool.connect();
  await client.query("begin");
  await sendEvent(clientDb(client), await prepareEvent("go", "undone", { key: "back", id: "once" }));
  await client.query("rollback");
  client.release();
  expect(await send("go", "real", { key: "back", id: "once" })).toMatchObject({ created: true });
  expect((await engine.runToEnd(byKey, { key: "back" })).run.output).toBe("real");
});

it("of events and waiters for one key, each event goes to one waiter and none is lost, with two workers", async () => {
  const workers = [engine.worker([byKey]), engine.worker([byKey])];
  await Promise.all(workers);
  const runs = Array.from({ length: 30 }, () => engine.start(byKey, { key: "shared" }));
  const sends = Array.from({ length: 30 }, async (_, index) => {
    await delay(Math.random() * 80);
    await send("go", index, { key: "shared", id: `shared-${index}` });
    await send("go", index, { key: "shared", id: `shared-${index}` });
  });
  const runIds = await Promise.all(runs);
  await Promise.all(sends);
  await wakeWorkers();
  const outputs = await Promise.all(runIds.map(async (runId) => (await engine.untilEnded(runId)).run.output as number));
  expect(outputs.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index));
}, 120_000);

it("an event that arrives at the instant of the timeout is taken or kept, never lost", async () => {
  const impatient = aWorkflow("race-timeout", async (ctx) => [
    await ctx.waitForEvent("first", { event: "go", timeout: 40, default: "nothing" }),
    await ctx.waitForEvent("second", { event: "go" }),
  ]);
  await engine.worker([impatient]);
  const runs = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const runId = await engine.start(impatient);
      await engine.untilRun(runId, ({ steps }) => steps.length > 0);
      await delay(20 + Math.random() * 50);
      await send("go", "it", { runId });
      return runId;
    }),
  );
  for (const runId of runs) {
    const { steps, run } = await engine.untilRun(
      runId,
      ({ run, steps }) => run.status === "completed" || (steps[0]?.output === "it" && run.status === "waiting"),
    );
    // Either the first took it, and the second waits for another; or the first gave up, and the second took it.
    if (run.status === "completed") expect(run.output).toEqual(["nothing", "it"]);
    else expect(steps[0]?.output).toBe("it");
  }
}, 120_000);

it("the end of the first waiting run passes its event on to the next ones", async () => {
  await engine.worker([byKey]);
  const first = await engine.start(byKey, { key: "seat" });
  await engine.untilResting(first);
  const second = await engine.start(byKey, { key: "seat" });
  await engine.untilResting(second);
  await cancel(aDesk(engine.db), { runId: first, reason: "no longer wanted" });
  await send("go", "for the second", { key: "seat" });
  await wakeWorkers();
  expect((await engine.untilEnded(second)).run.output).toBe("for the second");
});

it("an event reaches a run that suspends at this instant, among its sleeps", async () => {
  const restless = aWorkflow("race-rest", (ctx, { naps = 0 }) =>
    Promise.race([
      ctx.waitForEvent("wait", { event: "go" }),
      (async () => {
        for (let nap = 0; nap < naps; nap++) await ctx.sleep(`nap-${nap}`, 15);
        await ctx.sleep("long", "1h");
      })(),
    ]),
  );
  await engine.worker([restless]);
  const runs = await Promise.all(
    Array.from({ length: 30 }, async (_, round) => {
      const runId = await engine.start(restless, { naps: 8 });
      await delay(Math.random() * 160);
      await send("go", round, { runId });
      return { runId, round };
    }),
  );
  for (const { runId, round } of runs) expect((await engine.untilEnded(runId)).run.output).toBe(round);
}, 120_000);
