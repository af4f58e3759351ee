import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { prepareStart, type StartOptions } from "../../engine/runs/start";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { insertRunsOnce } from "../../store/runs/start-many";
import { registerWorkflows } from "../../store/workers/workers";
import { gate } from "../../testing/until";
import { aDrive } from "../../testing/workers/a-drive";
import { anEngine } from "../../testing/workers/engine";
import { setFaultHandler } from "../fault-points";

const engine = anEngine();
const input = z.object({});

/** A worker of another workflow: its sweeps need no code of the runs that they end. */
const aBystander = () =>
  engine.worker([defineWorkflow({ name: "bystander", input }, async () => null)], { leaseMs: 800 });

function aRecorder(name: string, given: { timeoutMs?: number; singleton?: { key: () => string } } = {}) {
  const begun: string[] = [];
  const workflow = defineWorkflow({ name, input, ...given }, (ctx) =>
    ctx.step("only", () => {
      begun.push(ctx.run.id);
      return "done";
    }),
  );
  return { begun, workflow };
}

const limitsOf = async (runId: string) =>
  (
    await engine.rows<{ begin: number | null; end: number | null }>(
      `select extract(epoch from begin_by - coalesce(due_at, created_at))::float8 * 1000 as begin,
         extract(epoch from deadline_at - coalesce(due_at, created_at))::float8 * 1000 as "end" from handrail.run where id = $1`,
      [runId],
    )
  )[0];

describe("a run that was not begun in time", () => {
  it("is cancelled by any worker, also one without its workflow, and says why", async () => {
    const { workflow, begun } = aRecorder("expires");
    const runId = await engine.start(workflow, {}, { beginWithinMs: 300 });
    await aBystander();
    const { run } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "cancelled", attention: null, error: { code: "start_expired" } });
    await engine.worker([workflow]);
    await delay(300);
    expect(begun).toEqual([]);
  });

  it("is not begun by a claim that comes too late, before any sweep", async () => {
    const { workflow, begun } = aRecorder("claimed-late");
    const runId = await engine.start(workflow, {}, { beginWithinMs: 100 });
    await delay(150);
    const swept = gate();
    setFaultHandler((point) => (point === "expire:before" ? swept.opened : undefined));
    const { run } = await engine.runToEnd(workflow, {}).then(() => engine.untilEnded(runId));
    expect(run).toMatchObject({ status: "cancelled", error: { code: "start_expired" }, lost_claims: 0 });
    expect(begun).toHaveLength(1);
    expect(begun).not.toContain(runId);
    swept.open();
  });

  it("fails at its deadline, and needs attention", async () => {
    const { workflow } = aRecorder("overdue-unbegun");
    const runId = await engine.start(workflow, {}, { endWithinMs: 200 });
    await aBystander();
    const { run } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "failed", attention: "failed", error: { code: "run_timed_out" } });
    expect((run.finished_at as Date).getTime()).toBeGreaterThanOrEqual((run.deadline_at as Date).getTime());
  });

  it("frees its singleton key, and is ended by a call of a serverless worker too", async () => {
    const { workflow, begun } = aRecorder("expires-alone", { singleton: { key: () => "one" } });
    await registerWorkflows(engine.db, [workflow]);
    const first = await engine.start(workflow, {}, { beginWithinMs: 20 });
    await delay(30);
    await aDrive(engine.database, [defineWorkflow({ name: "other", input }, async () => null)]);
    expect((await engine.historyOf(first)).run.status).toBe("cancelled");
    expect((await engine.runToEnd(workflow)).run.status).toBe("completed");
    expect(begun).toHaveLength(1);
  });

  it("waits while it is paused", async () => {
    const { workflow } = aRecorder("paused-unbegun");
    const runId = await engine.start(workflow, {}, { beginWithinMs: 50 });
    await engine.rows(
      "update handrail.run set status = 'paused', pause_requested_at = clock_timestamp() where id = $1",
      [runId],
    );
    await aBystander();
    await delay(500);
    expect((await engine.historyOf(runId)).run.status).toBe("paused");
    await engine.rows("update handrail.run set status = 'pending', pause_requested_at = null where id = $1", [runId]);
    expect((await engine.untilEnded(runId)).run.status).toBe("cancelled");
  });
});

describe("a run with a deadline of its start", () => {
  it("that is begun in time runs beyond the time to begin", async () => {
    const workflow = defineWorkflow({ name: "begun-in-time", input }, (ctx) => ctx.sleep("nap", 400));
    await engine.worker([workflow]);
    const runId = await engine.start(workflow, {}, { beginWithinMs: 60_000 });
    await engine.untilResting(runId);
    await engine.rows("update handrail.run set begin_by = clock_timestamp() where id = $1", [runId]);
    expect((await engine.untilEnded(runId)).run.status).toBe("completed");
  });

  it("fails at it while it sleeps, and what it has done is compensated", async () => {
    const undone: string[] = [];
    const workflow = defineWorkflow({ name: "too-slow", input, onFailure: "compensate" }, async (ctx) => {
      await ctx.step("charge", () => "c", { compensate: () => void undone.push("charge") });
      await ctx.sleep("long", "1h");
    });
    await engine.worker([workflow]);
    const runId = await engine.start(workflow, {}, { endWithinMs: 60_000 });
    const asleep = (await engine.untilResting(runId)).run as { due_at: unknown; deadline_at: unknown };
    expect(asleep.due_at).toEqual(asleep.deadline_at);
    await engine.rows(
      "update handrail.run set deadline_at = clock_timestamp(), due_at = clock_timestamp() where id = $1",
      [runId],
    );
    const { run } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "compensated", error: { code: "run_timed_out" } });
    expect(undone).toEqual(["charge"]);
  });

  it.each([
    ["the workflow's timeout, if that is earlier", 300, 60_000],
    ["its own, if the workflow allows more", 60_000, 300],
  ])("keeps to %s", async (_, timeoutMs, endWithinMs) => {
    const name = `earlier-of-both-${timeoutMs}`;
    const workflow = defineWorkflow({ name, input, timeoutMs }, (ctx) => ctx.sleep("long", "1h"));
    await engine.worker([workflow]);
    const { run } = await engine.untilEnded(await engine.start(workflow, {}, { endWithinMs }));
    expect(run).toMatchObject({ status: "failed", error: { code: "run_timed_out" } });
  });

  it("has none after a rerun", async () => {
    const { workflow, begun } = aRecorder("rerun-late");
    const runId = await engine.start(workflow, {}, { beginWithinMs: 20, endWithinMs: 30 });
    await aBystander();
    await engine.untilEnded(runId);
    const { rerunFailed } = await import("../../store/runs/rerun");
    await rerunFailed(engine.db, runId, false);
    await engine.worker([workflow]);
    expect((await engine.untilEnded(runId)).run.status).toBe("completed");
    expect(begun).toEqual([runId]);
  });
});

describe("the limits of a start", () => {
  const { workflow } = aRecorder("limits");
  const both = { beginWithinMs: 10_000, endWithinMs: 20_000 };

  it.each<[string, StartOptions]>([
    ["at once", {}],
    ["later", { delayMs: 3_600_000 }],
    ["at an instant", { runAt: new Date(Date.now() + 3_600_000) }],
    ["with a key", { idempotencyKey: "k" }],
  ])("are counted from when it is due: %s", async (_, options) => {
    const alone = await engine.start(
      workflow,
      {},
      { ...options, ...both, ...(options.idempotencyKey && { idempotencyKey: "k1" }) },
    );
    const [batch] = await insertRunsOnce(engine.db, [await prepareStart(workflow, {}, { ...options, ...both })]);
    for (const id of [alone, batch?.id as string]) {
      const { begin, end } = (await limitsOf(id)) as { begin: number; end: number };
      expect(Math.abs(begin - 10_000)).toBeLessThan(50);
      expect(Math.abs(end - 20_000)).toBeLessThan(50);
    }
    await engine.rows("update handrail.run set begin_by = null, deadline_at = null where workflow = 'limits'");
  });

  it("by SQL are intervals", async () => {
    await registerWorkflows(engine.db, [workflow]);
    const [row] = await engine.rows<{ id: string }>(
      `select handrail.start_run('limits', '{}', begin_within => '10 s', end_within => '20 s', run_at => now() + interval '1 h')::text as id`,
    );
    expect((await limitsOf(row?.id as string))?.begin).toBeCloseTo(10_000, -2);
    await expect(engine.rows("select handrail.start_run('limits', '{}', begin_within => '-1 s')")).rejects.toThrow(
      "begin_within and end_within are more than 0",
    );
  });

  it.each<[StartOptions, string]>([
    [{ beginWithinMs: 0 }, "beginWithinMs is a number of milliseconds"],
    [{ endWithinMs: Number.NaN }, "endWithinMs is a number of milliseconds"],
    [{ endWithinMs: 367 * 86_400_000 }, "endWithinMs is a number of milliseconds"],
    [{ beginWithinMs: 5, debounce: { key: "k", delayMs: 5 } }, "A debounced start takes no beginWithinMs"],
  ])("%j is refused", async (options, message) => {
    await expect(prepareStart(workflow, {}, options)).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining(message),
    });
  });
});
