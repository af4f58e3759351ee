import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { setFaultHandler } from "../fault-points";

const engine = anEngine();
const input = z.object({});
const never = new Promise<never>(() => undefined);

/** A run in the body of its first step. */
async function inBody(
  name: string,
  body: (call: number, signal: AbortSignal) => unknown,
  effect: "idempotent" | "once" = "idempotent",
) {
  const begun = gate();
  let calls = 0;
  const workflow = defineWorkflow({ name, input }, async (ctx) => {
    const output = await ctx.step(
      "held",
      ({ signal }) => {
        begun.open();
        return body(++calls, signal);
      },
      { effect },
    );
    await ctx.step("after", () => "after");
    return output;
  });
  const runId = await engine.start(workflow);
  const worker = await engine.worker([workflow]);
  await begun.opened;
  return { workflow, runId, worker, calls: () => calls };
}

describe("a worker that stops", () => {
  it("lets the body in flight finish, keeps its outcome, and begins no other", async () => {
    const held = gate<string>();
    const { workflow, runId, worker } = await inBody("drains", () => held.opened);
    const stopped = worker.stop(30_000);
    held.open("finished");
    await stopped;
    const between = await engine.historyOf(runId);
    expect(between.run).toMatchObject({ status: "pending", worker_id: null });
    expect(between.steps).toMatchObject([{ name: "held", status: "completed", output: "finished" }]);
    await engine.worker([workflow]);
    const { run, steps } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "completed", output: "finished" });
    expect(steps).toMatchObject([{ attempt: 1 }, { attempt: 1 }]);
  });

  it("begins no body of a claim that was in flight", async () => {
    const [claimed, goOn] = [gate(), gate()];
    let calls = 0;
    const workflow = defineWorkflow({ name: "in-flight", input }, (ctx) => ctx.step("first", () => ++calls));
    const runId = await engine.start(workflow);
    setFaultHandler((point) => {
      if (point !== "claim:after") return undefined;
      claimed.open();
      return goOn.opened;
    });
    const worker = await engine.worker([workflow]);
    await claimed.opened;
    setFaultHandler(undefined);
    const stopped = worker.stop(30_000);
    goOn.open();
    await stopped;
    expect(calls).toBe(0);
    expect((await engine.historyOf(runId)).run).toMatchObject({ status: "pending", worker_id: null });
    await engine.worker([workflow]);
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: 1 });
  });

  it("aborts the bodies at its deadline and hands their runs back without spending an attempt", async () => {
    const { workflow, runId, worker } = await inBody("hands-back", (call, signal) =>
      call === 1 ? delay(60_000, undefined, { signal }) : "second",
    );
    await worker.stop(20);
    const between = await engine.historyOf(runId);
    expect(between.run).toMatchObject({ status: "pending", lost_claims: 0 });
    expect(between.steps).toMatchObject([{ status: "waiting", attempt: 1, failures: 0 }]);
    expect(between.attempts).toMatchObject([{ number: 1, status: "interrupted" }]);
    await engine.worker([workflow]);
    const { run, steps } = await engine.untilEnded(runId);
    expect(run.output).toBe("second");
    expect(steps).toMatchObject([{ attempt: 2, failures: 0 }, {}]);
  });

  it("does not wait for a body that ignores its signal", async () => {
    const { runId, worker } = await inBody("hung", () => never);
    await worker.stop(20);
    const { run, steps } = await engine.historyOf(runId);
    expect(run.status).toBe("pending");
    expect(steps).toMatchObject([{ status: "waiting", failures: 0 }]);
  });

  it("leaves a once step that it cut off to a person", async () => {
    const { workflow, runId, worker, calls } = await inBody("cuts-once", () => never, "once");
    await worker.stop(20);
    expect((await engine.historyOf(runId)).steps).toMatchObject([{ status: "unknown", attempt: 1 }]);
    await engine.worker([workflow]);
    const { run } = await engine.untilResting(runId);
    expect(run).toMatchObject({ waiting_kind: "operator", attention: "outcome_unknown" });
    expect(calls()).toBe(1);
  });

  it("deregisters: it owns nothing and does not count as lost", async () => {
    const { worker } = await inBody("goodbye", () => "done");
    await worker.stop();
    const [row] = await engine.rows(
      `select stopped_at is not null as stopped, running, exists (select from handrail.run where worker_id = worker.id) as owns
       from handrail.worker order by id desc limit 1`,
    );
    expect(row).toEqual({ stopped: true, running: 0, owns: false });
    expect(worker.isLost()).toBe(false);
    expect(await engine.rows("select from handrail.lost_claim")).toEqual([]);
  });

  it("claims nothing more, and hands back unstarted runs", async () => {
    const { workflow, worker } = await inBody("claims-no-more", () => "done");
    await worker.stop();
    const runId = await engine.start(workflow);
    await delay(100);
    expect((await engine.historyOf(runId)).run.status).toBe("pending");
    await engine.worker([workflow]);
    await engine.untilEnded(runId);
  });

  it("keeps the waits of its runs", async () => {
    const workflow = defineWorkflow({ name: "stops-asleep", input }, async (ctx) => {
      await Promise.all([ctx.sleep("long", "1h"), ctx.step("quick", () => delay(50))]);
    });
    const runId = await engine.start(workflow);
    const worker = await engine.worker([workflow]);
    await engine.untilRun(runId, ({ steps }) => steps.some(({ name }) => name === "long"));
    await worker.stop();
    await engine.worker([workflow]);
    const { run } = await engine.untilResting(runId);
    expect(run).toMatchObject({ status: "waiting", waiting_kind: "timer", waiting_step: "long" });
  });
});

it("two workers share the load, and none of the runs is lost when one of them stops", async () => {
  const workflow = defineWorkflow({ name: "shared-load", input }, async (ctx) => {
    for (let step = 0; step < 5; step++) await ctx.step(`step-${step}`, () => delay(5));
    return ctx.run.id;
  });
  const ids = await Promise.all(Array.from({ length: 60 }, () => engine.start(workflow)));
  const first = await engine.worker([workflow], { concurrency: 10 });
  await engine.worker([workflow], { concurrency: 10 });
  await until("Some of the ends", async () => {
    const [row] = await engine.rows<{ done: string }>(
      "select count(*) as done from handrail.run where workflow = 'shared-load' and status = 'completed'",
    );
    return Number(row?.done) >= 15;
  });
  await first.stop();
  for (const id of ids) expect((await engine.untilEnded(id)).run).toMatchObject({ status: "completed", output: id });
  expect(
    await engine.rows("select from handrail.attempt join handrail.run on id = run_id where workflow = 'shared-load'"),
  ).toEqual([]);
});
