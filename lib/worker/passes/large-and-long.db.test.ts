import { describe, expect, it } from "vitest";
import { z } from "zod";
import { prepareEvent } from "../../engine/events/prepare-event";
import { MAX_VALUE_BYTES } from "../../engine/values/bounds";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { readRun } from "../../operator/runs/reads";
import { sendEvent } from "../../store/events/send-event";
import { claimRuns } from "../../store/workers/claim-runs";
import { aRegisteredWorker } from "../../testing/rows/claims";
import { anEngine } from "../../testing/workers/engine";
import { TestEngine } from "../../testkit/test-engine";

const engine = anEngine();
const input = z.object({});

describe("large", () => {
  it("a run of 10,000 steps comes back from a sleep with all of them, in one claim", async () => {
    const bodies = { first: 0, second: 0 };
    const workflow = defineWorkflow({ name: "ten-thousand", input }, async (ctx) => {
      let sum = 0;
      for (let block = 0; block < 100; block++) {
        const items = Array.from({ length: 100 }, (_, item) => block * 100 + item);
        const done = await Promise.all(
          items.map((item) => ctx.step(`item:${item}`, () => ({ no: bodies.first++ }), { effect: "pure" })),
        );
        sum += done.length;
      }
      await ctx.sleep("nap", 10);
      await ctx.step("after", () => void bodies.second++);
      return sum;
    });
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "completed", output: 10_000, epoch: 2 });
    expect(steps).toHaveLength(10_002);
    expect(bodies).toEqual({ first: 10_000, second: 1 });
    // Its page is bounded, whatever the run's length: it has both ends, and reports what it leaves out.
    const page = await readRun(engine.db, run.id);
    expect(page.steps).toHaveLength(5_000);
    expect([page.steps[0]?.name, page.steps.at(-1)?.name]).toEqual(["item:0", "after"]);
    expect(page.stepsLeftOut).toBe(5_002);
    expect(page.summary).toContain("10002 steps are done");
  });

  it("outputs at the cap are kept whole, and one byte more fails the step by name", async () => {
    // The quotes around it are two of the bytes.
    const most = "x".repeat(MAX_VALUE_BYTES - 2);
    const workflow = defineWorkflow({ name: "at-the-cap", input }, async (ctx) => {
      const kept = await Promise.all(Array.from({ length: 10 }, (_, item) => ctx.step(`item:${item}`, () => most)));
      await ctx.sleep("nap", 10);
      const longest = Math.max(...kept.map((text) => text.length));
      await ctx.step("too-much", () => `${most}x`, { retry: { maxAttempts: 1 } }).catch(() => undefined);
      return longest;
    });
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "completed", output: most.length });
    expect(steps.at(-1)).toMatchObject({ name: "too-much", status: "failed", error: { code: "value_too_large" } });
  });
});

describe("long", () => {
  it("a run sleeps for 400 days, and not one less", async () => {
    const workflow = defineWorkflow({ name: "four-hundred-days", input }, async (ctx) => {
      await ctx.sleep("long", "400d");
      return "awake";
    });
    const kit = await TestEngine.start({
      databaseUrl: engine.database.url,
      workflows: [workflow],
      services: {} as never,
    });
    try {
      const runId = await kit.start(workflow, {});
      await kit.advance("399d 23h 59m");
      expect(await kit.run(runId)).toMatchObject({ status: "waiting", waitingFor: { kind: "timer", step: "long" } });
      await kit.advance("1m");
      expect(await kit.run(runId)).toMatchObject({ status: "completed", output: "awake" });
    } finally {
      await kit.stop();
    }
  });
});

describe("many", () => {
  it("a million sleeping runs cost a worker no memory, and a claim no time", async () => {
    const workflow = defineWorkflow({ name: "sleepers", input }, (ctx) => ctx.step("a", () => "a"));
    await engine.rows(
      `insert into handrail.run (id, workflow, version, status, due_at, waiting_kind, waiting_step, waiting_since, input, epoch, started_at)
       select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'sleepers', 1, 'waiting',
         clock_timestamp() + interval '400 days' + n * interval '1 ms', 'timer', 'long', clock_timestamp(), '{}', 1, clock_timestamp()
       from generate_series(1, 1000000) as n`,
    );
    await engine.rows("analyze handrail.run");
    const memory = () => {
      global.gc?.();
      return process.memoryUsage().heapUsed;
    };
    const before = memory();
    const { run } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "completed", output: "a" });
    // A row each of the least size would be more than 100 MB.
    expect(memory() - before).toBeLessThan(50 * 1_048_576);
    const workerId = await aRegisteredWorker(engine.db);
    const began = performance.now();
    for (let claim = 0; claim < 20; claim++) {
      const { runs, nextDueInMs } = await claimRuns(engine.db, workerId, [workflow], 50);
      expect(runs).toEqual([]);
      expect(nextDueInMs).toBeGreaterThan(399 * 86_400_000);
    }
    // Twenty reads of a million rows would take seconds on any machine.
    expect(performance.now() - began).toBeLessThan(2_000);
    await engine.rows("delete from handrail.run where id < '00000000-0000-7000-8000-ffffffffffff'");
  }, 300_000);

  it("fifty events that a run waits for at once come in any order, before and after the worker's restart", async () => {
    const workflow = defineWorkflow({ name: "fifty-events", input }, (ctx) =>
      Promise.all(Array.from({ length: 50 }, (_, n) => ctx.waitForEvent(`wait-${n}`, { event: `event-${n}` }))),
    );
    const runId = await engine.start(workflow);
    const first = await engine.worker([workflow]);
    await engine.untilResting(runId);
    // Every number below 50 once, in no order.
    const order = Array.from({ length: 50 }, (_, n) => (n * 37 + 11) % 50);
    const send = async (n: number) => sendEvent(engine.db, await prepareEvent(`event-${n}`, n, { runId }));
    for (const n of order.slice(0, 20)) await send(n);
    await first.stop();
    for (const n of order.slice(20, 35)) await send(n);
    await engine.worker([workflow]);
    await Promise.all(order.slice(35).map(send));
    const { run, steps } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "completed", output: Array.from({ length: 50 }, (_, n) => n) });
    expect(steps).toHaveLength(50);
  });
});
