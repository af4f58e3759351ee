import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const input = z.object({});

/** Rounds of a loop that would never end. */
function endless(name: string) {
  const loop = { rounds: 0, wentOn: false };
  const workflow = defineWorkflow({ name, input }, async (ctx) => {
    const first = await ctx.step("first", () => "kept");
    for (;;) {
      loop.rounds++;
      await ctx.checkpoint();
      if (loop.wentOn) return first;
    }
  });
  return { loop, workflow };
}

const turning = (loop: { rounds: number }) => until("The loop", () => loop.rounds > 10);

describe("a checkpoint in a loop without steps", () => {
  it("is where a cancel takes effect", async () => {
    const { loop, workflow } = endless("checkpoint-cancel");
    const runId = await engine.start(workflow);
    await engine.worker([workflow], { leaseMs: 800 });
    await turning(loop);
    await engine.rows("update handrail.run set cancel_requested_at = clock_timestamp() where id = $1", [runId]);
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "cancelled", attention: null });
    const { rounds } = loop;
    await new Promise((resolve) => setImmediate(resolve));
    expect(loop.rounds).toBe(rounds);
  });

  it("is where a shutdown takes effect; the next worker begins the loop again", async () => {
    const { loop, workflow } = endless("checkpoint-shutdown");
    const runId = await engine.start(workflow);
    const worker = await engine.worker([workflow]);
    await turning(loop);
    await worker.stop();
    expect((await engine.historyOf(runId)).run).toMatchObject({ status: "pending", worker_id: null });
    const { rounds } = loop;
    loop.wentOn = true;
    await engine.worker([workflow]);
    const { run, steps } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "completed", output: "kept" });
    expect(steps).toMatchObject([{ name: "first", attempt: 1 }]);
    expect(loop.rounds).toBe(rounds + 1);
  });

  it("is where a lost claim takes effect", async () => {
    const { loop, workflow } = endless("checkpoint-lost");
    const runId = await engine.start(workflow);
    const worker = await engine.worker([workflow], { leaseMs: 800 });
    await turning(loop);
    await engine.endLeases();
    await until("The loss", () => worker.isLost());
    loop.wentOn = true;
    await engine.worker([workflow]);
    const { run, lostClaims } = await engine.untilEnded(runId);
    expect(run.status).toBe("completed");
    expect(lostClaims).toBe(1);
  });

  it("does not keep another branch from coming to rest", async () => {
    let over = false;
    const workflow = defineWorkflow({ name: "checkpoint-branches", input }, async (ctx) => {
      const loop = async () => {
        while (!over) await ctx.checkpoint();
      };
      const nap = ctx.sleep("nap", 50).then(() => {
        over = true;
      });
      await Promise.all([loop(), nap]);
      return "both";
    });
    expect((await engine.runToEnd(workflow)).run).toMatchObject({ status: "completed", output: "both", epoch: 1 });
  });
});
