import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { gate } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const input = z.object({});
const never = new Promise<never>(() => undefined);

describe("an attempt that takes longer than its timeout", () => {
  it("fails, its signal aborts, and its late result changes nothing", async () => {
    const late = gate<string>();
    const signals: AbortSignal[] = [];
    const workflow = defineWorkflow({ name: "late-result", input, retry: { initialDelayMs: 1 } }, async (ctx) => {
      const output = await ctx.step(
        "slow",
        ({ attempt, signal }) => {
          signals.push(signal);
          return attempt === 1 ? late.opened : "in time";
        },
        { timeoutMs: 30 },
      );
      late.open("too late");
      await ctx.step("after", () => delay(30));
      return output;
    });
    const { run, steps, attempts } = await engine.runToEnd(workflow);
    expect(run.output).toBe("in time");
    expect(steps).toMatchObject([{ output: "in time", attempt: 2 }, {}]);
    // It may have had its effect: its outcome is unknown.
    expect(attempts).toMatchObject([{ number: 1, status: "unknown", error: { code: "step_timed_out" } }]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  it("may fail late without harm", async () => {
    const late = gate();
    const workflow = defineWorkflow({ name: "late-failure", input, retry: { initialDelayMs: 1 } }, async (ctx) => {
      await ctx.step("slow", ({ attempt }) => (attempt === 1 ? late.opened : undefined), { timeoutMs: 30 });
      late.fail(new Error("too late"));
      await ctx.step("after", () => delay(10));
    });
    expect((await engine.runToEnd(workflow)).run.status).toBe("completed");
  });

  it("of a pure step is a plain failure", async () => {
    const workflow = defineWorkflow({ name: "slow-pure", input }, (ctx) =>
      ctx.step("slow", () => never, { effect: "pure", timeoutMs: 20, retry: { maxAttempts: 1 } }),
    );
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "failed", attention: "failed", error: { code: "step_timed_out" } });
    expect(steps).toMatchObject([{ status: "failed", error: { message: expect.stringContaining('Step "slow"') } }]);
  });
});

it.each([2 ** 31, Number.POSITIVE_INFINITY])("a timeout of %s ms does not pass at once", async (timeoutMs) => {
  const workflow = defineWorkflow({ name: `timeout-${timeoutMs}`.toLowerCase(), input }, (ctx) =>
    ctx.step("short", () => delay(30, "done"), { timeoutMs, retry: { maxAttempts: 1 } }),
  );
  expect((await engine.runToEnd(workflow)).run.output).toBe("done");
});

describe("a run that takes longer than its own timeout", () => {
  it("fails while it sleeps, at the deadline and not before", async () => {
    const workflow = defineWorkflow({ name: "run-asleep", input, timeoutMs: 300 }, (ctx) => ctx.sleep("long", "1h"));
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "failed", error: { code: "run_timed_out" }, failed_step: null });
    expect((run.finished_at as Date).getTime()).toBeGreaterThanOrEqual((run.deadline_at as Date).getTime());
    expect(steps).toMatchObject([{ name: "long", status: "waiting" }]);
  });

  it("aborts the body in flight, whose outcome is recorded as unknown", async () => {
    const workflow = defineWorkflow({ name: "run-in-body", input, timeoutMs: 150 }, (ctx) =>
      ctx.step("held", ({ signal }) => delay(60_000, undefined, { signal })),
    );
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "failed", attention: "outcome_unknown", error: { code: "run_timed_out" } });
    expect(steps).toMatchObject([{ name: "held", status: "unknown" }]);
  });

  it("begins nothing after its deadline, also when no worker was there at it", async () => {
    const begun: string[] = [];
    const workflow = defineWorkflow({ name: "run-overdue", input, timeoutMs: 60_000 }, async (ctx) => {
      await ctx.sleep("nap", "1h");
      await ctx.step("late", () => void begun.push("late"));
    });
    const runId = await engine.start(workflow);
    const first = await engine.worker([workflow]);
    await engine.untilResting(runId);
    await first.stop();
    await engine.rows("update handrail.step set next_attempt_at = clock_timestamp() where run_id = $1", [runId]);
    await engine.rows(
      "update handrail.run set deadline_at = clock_timestamp(), due_at = clock_timestamp() where id = $1",
      [runId],
    );
    await engine.worker([workflow]);
    const { run } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "failed", error: { code: "run_timed_out" } });
    expect(begun).toEqual([]);
  });
});
