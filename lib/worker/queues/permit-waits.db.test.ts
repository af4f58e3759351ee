import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Context, defineWorkflow } from "../../engine/workflows/workflow";
import { readRun } from "../../operator/runs/reads";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { keyed, limitedBy } from "../../testing/workflows/limited-by";

const engine = anEngine();

const untilWaiting = (runId: string) =>
  engine.untilRun(runId, ({ run }) => run.waiting_kind === "permit", "a wait for a permit");

describe("a step without a permit", () => {
  /** A run that holds the only permit until the gate opens. */
  async function held(name: string) {
    const holds = gate();
    const entered: string[] = [];
    const workflow = limitedBy(name, { name, concurrency: 1 }, ({ key }) => {
      entered.push(key);
      return key === "holder" ? holds.opened : undefined;
    });
    const holder = await engine.start(workflow, { key: "holder" });
    return { workflow, holder, holds, entered };
  }

  it("waits without a worker's slot, and says so; then it goes on at once", async () => {
    const { workflow, holds, holder, entered } = await held("without-slot");
    const free = defineWorkflow({ name: "beside-without-slot", input: keyed }, async () => "done");
    await engine.worker([workflow, free], { concurrency: 2 });
    await until("The holder's body", () => entered.length === 1);
    const waiter = await engine.start(workflow, { key: "waiter" });
    const { run, steps } = await untilWaiting(waiter);
    expect(run).toMatchObject({ status: "waiting", waiting_kind: "permit", waiting_step: "call", worker_id: null });
    expect(steps).toMatchObject([{ name: "call", status: "waiting", attempt: 0, error: null }]);
    const { permits, waitingFor, summary } = await readRun(engine.db, waiter);
    expect(permits).toEqual([
      {
        ...{ step: "call", limit: "without-slot", keyed: false, concurrency: 1, rate: null },
        ...{ held: 1, started: 0, ahead: 0, asksAt: expect.any(String) },
      },
    ]);
    expect(waitingFor).toMatchObject({ kind: "permit", step: "call", until: permits[0]?.asksAt });
    expect(summary).toContain("Waiting for a permit of the limit");
    await engine.untilEnded(await engine.start(free));
    const opened = Date.now();
    holds.open();
    expect((await engine.untilEnded(waiter)).run.status).toBe("completed");
    // It is called: it does not only ask again by itself, after five seconds.
    expect(Date.now() - opened).toBeLessThan(4_000);
    await engine.untilEnded(holder);
  });

  it("comes in the order of the line, also before one that asks for the first time", async () => {
    const { workflow, holds, entered } = await held("in-order");
    await engine.worker([workflow]);
    await until("The holder's body", () => entered.length === 1);
    const ids: string[] = [];
    for (const key of ["first", "second", "third"]) {
      const runId = await engine.start(workflow, { key });
      await untilWaiting(runId);
      ids.push(runId);
    }
    holds.open();
    await engine.worker([workflow]);
    ids.push(await engine.start(workflow, { key: "late" }));
    for (const id of ids) await engine.untilEnded(id);
    expect(entered).toEqual(["holder", "first", "second", "third", "late"]);
  });

  it("is not starved by a run that asks again and again", async () => {
    const limit = { name: "hot", concurrency: 1 };
    const order: string[] = [];
    const hot = defineWorkflow({ name: "hot-loop", input: keyed }, async (ctx) => {
      for (let round = 0; round < 300; round++)
        await ctx.step(`round:${round}`, () => delay(10).then(() => void order.push("hot")), { limit });
    });
    const cool = limitedBy("cool", limit, () => void order.push("cool"));
    await engine.worker([hot, cool]);
    const loop = await engine.start(hot);
    await until("The loop", () => order.length > 3);
    await engine.untilEnded(await engine.start(cool));
    await engine.untilEnded(loop);
    expect(order.indexOf("cool")).toBeLessThan(order.length - 50);
  });

  it("holds up nobody when its run is paused or cancelled meanwhile", async () => {
    const { workflow, holds, entered } = await held("gone-waiters");
    const worker = await engine.worker([workflow]);
    await until("The holder's body", () => entered.length === 1);
    const ids: string[] = [];
    for (const key of ["paused", "cancelled", "next"]) {
      const runId = await engine.start(workflow, { key });
      await untilWaiting(runId);
      ids.push(runId);
    }
    await engine.rows(
      `update handrail.run set status = 'paused', held_due_at = due_at, due_at = null, waiting_kind = null, waiting_step = null,
        waiting_since = null, pause_requested_at = clock_timestamp() where id = $1`,
      [ids[0]],
    );
    await engine.rows(
      `update handrail.run set status = 'cancelled', due_at = null, waiting_kind = null, waiting_step = null, waiting_since = null,
        finished_at = clock_timestamp() where id = $1`,
      [ids[1]],
    );
    const opened = Date.now();
    holds.open();
    await engine.untilEnded(ids[2] as string);
    expect(Date.now() - opened).toBeLessThan(4_000);
    expect(entered).toEqual(["holder", "next"]);
    await worker.stop();
  });

  it("takes the permit of a lost worker when its run is taken over, and not earlier", async () => {
    const begun = gate();
    const workflow = limitedBy(
      "lost-permit",
      { name: "lost-permit", concurrency: 1 },
      ({ key }, { signal, attempt }) => {
        if (key !== "first" || attempt > 1) return "done";
        begun.open();
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    );
    const first = await engine.start(workflow, { key: "first" });
    const victim = await engine.worker([workflow], { leaseMs: 60_000 });
    await begun.opened;
    const second = await engine.start(workflow, { key: "second" });
    await engine.worker([workflow]);
    await untilWaiting(second);
    await delay(200);
    expect((await engine.historyOf(second)).steps).toMatchObject([{ status: "waiting" }]);
    // By itself it would not ask before that.
    for (const later of [
      "update handrail.permit_wait set due_at = clock_timestamp() + interval '1 h' where run_id = $1",
      "update handrail.step set next_attempt_at = clock_timestamp() + interval '1 h' where run_id = $1",
      "update handrail.run set due_at = clock_timestamp() + interval '1 h' where id = $1",
    ])
      await engine.rows(later, [second]);
    await engine.rows(
      "update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms' where id = $1",
      [(await engine.historyOf(first)).run.worker_id],
    );
    expect((await engine.untilEnded(second)).run.status).toBe("completed");
    expect((await engine.untilEnded(first)).run.status).toBe("completed");
    await victim.stop(0);
  });

  it("whose code has lost the limit meanwhile goes on without one", async () => {
    const { workflow, entered, holder } = await held("was-limited");
    const limited = await engine.worker([workflow]);
    await until("The holder's body", () => entered.length === 1);
    const waiter = await engine.start(workflow, { key: "waiter" });
    await untilWaiting(waiter);
    const stopping = limited.stop(0);
    const now = defineWorkflow({ name: workflow.name, input: keyed }, (ctx: Context) => ctx.step("call", () => "free"));
    await stopping;
    await engine.worker([now]);
    for (const runId of [waiter, holder]) expect((await engine.untilEnded(runId)).run.status).toBe("completed");
  });
});

it("a step in line began to wait when it asked first, however often it asks again", async () => {
  const holds = gate();
  const limit = { name: "asks-again", concurrency: 1 };
  const workflow = limitedBy("asks-again", limit, ({ key }) => (key === "holder" ? holds.opened : undefined));
  await engine.worker([workflow]);
  await engine.start(workflow, { key: "holder" });
  await until("The holder's permit", async () => {
    const held = await engine.rows("select from handrail.permit where limit_name = 'asks-again'");
    return held.length === 1;
  });
  const waiter = await engine.start(workflow, { key: "waiter" });
  const { steps, run } = await untilWaiting(waiter);
  await engine.rows("update handrail.run set due_at = clock_timestamp() where id = $1", [waiter]);
  const again = await engine.untilRun(waiter, (now) => now.run.epoch > run.epoch && now.run.status === "waiting");
  const begun = (of: typeof steps) => new Date(of[0]?.started_at as unknown as string).getTime();
  expect(Math.abs(begun(again.steps) - begun(steps))).toBeLessThan(100);
  expect(again.steps).toHaveLength(1);
  holds.open();
  await engine.untilEnded(waiter);
});
