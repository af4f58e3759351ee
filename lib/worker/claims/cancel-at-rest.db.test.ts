import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { type FaultPoint, setFaultHandler } from "../fault-points";

const engine = anEngine();
const input = z.object({});

/** An operator's request, written between the worker's decision and its record. */
function cancelAt(at: FaultPoint, runId: string): void {
  setFaultHandler(async (point) => {
    if (point !== at) return;
    await engine.rows(
      "update handrail.run set cancel_requested_at = clock_timestamp() where id = $1 and worker_id is not null",
      [runId],
    );
  });
}

describe("a cancel that meets a run", () => {
  it("on its way to sleep ends it, for nobody will look at it for an hour", async () => {
    const workflow = defineWorkflow({ name: "cancel-suspending", input }, (ctx) => ctx.sleep("long", "1h"));
    const runId = await engine.start(workflow);
    cancelAt("run:before-suspend", runId);
    await engine.worker([workflow]);
    const { run } = await engine.untilResting(runId);
    expect(run).toMatchObject({ status: "cancelled", attention: null, waiting_kind: null, due_at: null });
  });

  it("on its way back from a worker that stops ends it, too", async () => {
    const begun = gate();
    const held = gate();
    const workflow = defineWorkflow({ name: "cancel-handed-back", input }, async (ctx) => {
      await ctx.step("held", () => {
        begun.open();
        return held.opened;
      });
      await ctx.step("after", () => "after");
    });
    const runId = await engine.start(workflow);
    const worker = await engine.worker([workflow]);
    await begun.opened;
    cancelAt("run:before-end", runId);
    const stopped = worker.stop(30_000);
    await until("The worker's intent to stop", async () => {
      const [row] = await engine.rows(
        "select from handrail.worker where stopping_at is not null and stopped_at is null",
      );
      return row !== undefined;
    });
    await delay(20);
    held.open();
    await stopped;
    const { run, steps } = await engine.historyOf(runId);
    expect(run.status).toBe("cancelled");
    expect(steps).toMatchObject([{ name: "held", status: "completed" }]);
  });

  it("between two steps is heard with the record of the first, long before the next heartbeat", async () => {
    const begun: string[] = [];
    const workflow = defineWorkflow({ name: "cancel-between", input }, async (ctx) => {
      await ctx.step("a", async () => {
        await engine.rows("update handrail.run set cancel_requested_at = clock_timestamp() where id = $1", [
          ctx.run.id,
        ]);
      });
      await ctx.step("b", () => void begun.push("b"));
    });
    await engine.worker([workflow], { leaseMs: 60_000, name: "beats seldom" });
    // Its first heartbeat is over: the next one comes after the end of this test.
    await until("The first heartbeat", async () => {
      const [beaten] = await engine.rows(
        "select from handrail.worker where name = 'beats seldom' and stopped_at is null and heartbeat_at > started_at + interval '1 ms'",
      );
      return beaten !== undefined;
    });
    const runId = await engine.start(workflow);
    expect((await engine.untilEnded(runId)).run.status).toBe("cancelled");
    expect(begun).toEqual([]);
  });
});
