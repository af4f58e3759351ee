import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { record } from "../../store/steps/record";
import { takeOverLostRuns } from "../../store/workers/take-over";
import { aRecord, aStepRecord, claimOne } from "../../testing/rows/claims";
import { gate } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const input = z.object({});

/** As an operator's action leaves it on a claimed run; the actions themselves are tested in lib/operator. */
const askToCancel = (runId: string) =>
  engine.rows("update handrail.run set cancel_requested_at = clock_timestamp() where id = $1", [runId]);

describe("a run that is asked to end", () => {
  it("before it began never begins", async () => {
    const begun: string[] = [];
    const workflow = defineWorkflow({ name: "cancel-pending", input }, (ctx) =>
      ctx.step("a", () => void begun.push("a")),
    );
    const runId = await engine.start(workflow);
    await askToCancel(runId);
    await engine.worker([workflow]);
    expect((await engine.untilEnded(runId)).run).toMatchObject({
      status: "cancelled",
      attention: null,
      output: null,
      error: null,
    });
    expect(begun).toEqual([]);
  });

  it("in a body gets it aborted by the next heartbeat, records what it came to, and begins nothing more", async () => {
    const begun = gate();
    const after: string[] = [];
    const workflow = defineWorkflow({ name: "cancel-in-body", input }, async (ctx) => {
      await ctx.step("held", async ({ signal }) => {
        begun.open();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return "came to its end all the same";
      });
      await ctx.step("after", () => void after.push("after"));
    });
    const runId = await engine.start(workflow);
    await engine.worker([workflow], { leaseMs: 800 });
    await begun.opened;
    await askToCancel(runId);
    const { run, steps } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "cancelled", attention: null });
    expect(steps).toMatchObject([{ name: "held", status: "completed", output: "came to its end all the same" }]);
    expect(after).toEqual([]);
  });

  it("learns of it with its next record", async () => {
    const begun: string[] = [];
    const workflow = defineWorkflow({ name: "cancel-at-record", input }, async (ctx) => {
      await ctx.step("a", () => askToCancel(ctx.run.id).then(() => "a"));
      await ctx.step("b", () => void begun.push("b"));
    });
    const runId = await engine.start(workflow);
    await engine.worker([workflow], { leaseMs: 60_000 });
    const { run, steps } = await engine.untilEnded(runId);
    expect(run.status).toBe("cancelled");
    expect(steps).toMatchObject([{ name: "a", status: "completed" }]);
    expect(begun).toEqual([]);
  });

  it.each([
    ["idempotent", "unknown", "outcome_unknown"],
    ["once", "unknown", "outcome_unknown"],
    ["pure", "waiting", null],
  ] as const)("in the body of a step that is %s, which gives up: the step is %s", async (effect, status, attention) => {
    const begun = gate();
    const workflow = defineWorkflow({ name: `cancel-${effect}`, input }, (ctx) =>
      ctx.step(
        "held",
        ({ signal }) => {
          begun.open();
          return delay(60_000, undefined, { signal });
        },
        { effect },
      ),
    );
    const runId = await engine.start(workflow);
    await engine.worker([workflow], { leaseMs: 800 });
    await begun.opened;
    await askToCancel(runId);
    const { run, steps } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "cancelled", attention });
    expect(steps).toMatchObject([{ status }]);
  });

  it("while it waits ends when it is taken up", async () => {
    const workflow = defineWorkflow({ name: "cancel-waiting", input }, (ctx) => ctx.sleep("nap", 300));
    const runId = await engine.start(workflow);
    await engine.worker([workflow]);
    await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    await askToCancel(runId);
    expect((await engine.untilEnded(runId)).run.status).toBe("cancelled");
  });

  it("under a worker that died says so of the step that was in its body", async () => {
    const workflow = defineWorkflow({ name: "cancel-after-death", input }, (ctx) =>
      ctx.step("send", () => "sent", { effect: "once" }),
    );
    const runId = await engine.start(workflow);
    const run = await claimOne(engine.db, workflow);
    await record(engine.db, [aRecord(run, { step: aStepRecord({ name: "send", effect: "once", status: "running" }) })]);
    await askToCancel(runId);
    await engine.endLeases();
    await takeOverLostRuns(engine.db);
    await engine.worker([workflow]);
    const ended = await engine.untilEnded(runId);
    expect(ended.run).toMatchObject({ status: "cancelled", attention: "outcome_unknown" });
    expect(ended.steps).toMatchObject([{ status: "unknown" }]);
  });

  it("too late has completed", async () => {
    const workflow = defineWorkflow({ name: "cancel-too-late", input }, async (ctx) => {
      await ctx.step("last", () => askToCancel(ctx.run.id));
      return "done";
    });
    expect((await engine.runToEnd(workflow)).run).toMatchObject({ status: "completed", output: "done" });
  });
});
