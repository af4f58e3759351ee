import { describe, expect, it } from "vitest";
import { z } from "zod";
import { OutcomeUnknownError } from "../../engine/steps/outcome-unknown-error";
import { NonRetryableError, RetryAfterError, type RetryPolicy } from "../../engine/steps/retry-policy";
import type { StepOptions } from "../../engine/workflows/step-options";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { rerun } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const input = z.object({});

const QUICK: Partial<RetryPolicy> = { initialDelayMs: 1, jitter: 0 };

/** One step whose body gets the number of its calls. */
function oneStep(name: string, body: (calls: number) => unknown, options: StepOptions<unknown> = {}) {
  let calls = 0;
  const workflow = defineWorkflow({ name, input, retry: QUICK }, (ctx) =>
    ctx.step("try", () => body(++calls), { effect: "pure", ...options }),
  );
  return { workflow, calls: () => calls };
}

describe("a body that fails", () => {
  it("is tried again until it succeeds, and every attempt before is on record", async () => {
    const { workflow } = oneStep("retries", (calls) => {
      if (calls < 3) throw new Error(`no ${calls}`);
      return calls;
    });
    const { run, steps, attempts } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "completed", output: 3 });
    expect(steps).toMatchObject([{ status: "completed", attempt: 3, failures: 2, max_attempts: 4, output: 3 }]);
    expect(attempts).toMatchObject([
      { number: 1, status: "failed", error: { message: "no 1" } },
      { number: 2, status: "failed", error: { message: "no 2" } },
    ]);
    for (const { started_at, finished_at } of attempts) expect(finished_at).toSatisfy((end) => end >= started_at);
  });

  it("fails its step and its run when the attempts are used up", async () => {
    const { workflow, calls } = oneStep(
      "gives-up",
      () => {
        throw new Error("down");
      },
      { retry: { maxAttempts: 2 } },
    );
    const { run, steps, attempts } = await engine.runToEnd(workflow);
    expect(calls()).toBe(2);
    expect(run).toMatchObject({
      status: "failed",
      failed_step: "try",
      attention: "failed",
      error: { message: "down" },
    });
    expect(steps).toMatchObject([{ status: "failed", attempt: 2, failures: 2, error: { message: "down" } }]);
    expect(attempts).toMatchObject([{ number: 1, status: "failed" }]);
  });

  it.each([
    ["throws NonRetryableError", () => new NonRetryableError("never"), {}],
    [
      "throws what retryIf refuses",
      () => new TypeError("never"),
      { retryIf: (error: unknown) => !(error instanceof TypeError) },
    ],
  ])("is not tried again when it %s", async (what, error, retry) => {
    const { workflow, calls } = oneStep(
      `fails-at-once-${what.length}`,
      () => {
        throw error();
      },
      { retry },
    );
    const { run, attempts } = await engine.runToEnd(workflow);
    expect(run.status).toBe("failed");
    expect(calls()).toBe(1);
    expect(attempts).toEqual([]);
  });

  it("keeps its own error when its retryIf throws", async () => {
    const { workflow } = oneStep(
      "broken-policy",
      () => {
        throw new Error("the body's");
      },
      {
        retry: {
          retryIf: () => {
            throw new Error("the policy's");
          },
        },
      },
    );
    const { steps } = await engine.runToEnd(workflow);
    expect(steps).toMatchObject([{ status: "failed", attempt: 1, error: { message: "the body's" } }]);
  });

  it.each([undefined, null, "text", 0, { code: 7 }])("may throw %j, which is no Error", async (thrown) => {
    const { workflow } = oneStep(
      `throws-${JSON.stringify(thrown)?.replaceAll(/\W/g, "") ?? "undefined"}`,
      () => {
        throw thrown;
      },
      { retry: { maxAttempts: 1 } },
    );
    const { run } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "failed", error: { name: "NotAnError" } });
  });

  it("does not fill the database with a huge error", async () => {
    const { workflow } = oneStep(
      "huge-error",
      () => {
        throw new Error("x".repeat(5_000_000), { cause: new Error("y".repeat(5_000_000)) });
      },
      { retry: { maxAttempts: 2 } },
    );
    const { run } = await engine.runToEnd(workflow);
    expect(JSON.stringify(run.error).length).toBeLessThan(100_000);
  });
});

describe("the wait for the next attempt", () => {
  it("frees the worker and survives its end", async () => {
    let calls = 0;
    const workflow = defineWorkflow({ name: "long-wait", input }, (ctx) =>
      ctx.step("try", () => {
        if (++calls === 1) throw new RetryAfterError("busy", 400);
        return calls;
      }),
    );
    const runId = await engine.start(workflow);
    const first = await engine.worker([workflow]);
    const waiting = await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    expect(waiting.run).toMatchObject({ waiting_kind: "retry", waiting_step: "try", worker_id: null, attention: null });
    expect(waiting.steps).toMatchObject([{ status: "waiting", attempt: 1, failures: 1 }]);
    await first.stop();
    await engine.worker([workflow]);
    const { run, steps, attempts } = await engine.untilEnded(runId);
    expect(run.output).toBe(2);
    const [early] = await engine.rows<{ early: boolean }>(
      `select step.started_at < attempt.finished_at + interval '400 ms' as early from handrail.step
       join handrail.attempt using (run_id) where run_id = $1`,
      [runId],
    );
    expect(early).toEqual({ early: false });
    expect(steps).toMatchObject([{ status: "completed", attempt: 2 }]);
    expect(attempts).toMatchObject([{ number: 1, status: "failed", error: { name: "RetryAfterError" } }]);
  });

  it("grows by the policy", async () => {
    const { workflow } = oneStep(
      "backoff",
      () => {
        throw new Error("down");
      },
      { retry: { maxAttempts: 4, initialDelayMs: 40, factor: 2, maxDelayMs: 90, jitter: 0 } },
    );
    const { attempts, steps } = await engine.runToEnd(workflow);
    const starts = [...attempts, ...steps].map(({ started_at }) => (started_at as Date).getTime());
    const ends = attempts.map(({ finished_at }) => (finished_at as Date).getTime());
    const waits = ends.map((end, index) => (starts[index + 1] as number) - end);
    // Two clocks, each with a precision of a millisecond.
    for (const [index, least] of [40, 80, 90].entries()) expect(waits[index]).toBeGreaterThanOrEqual(least - 5);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e18])("is bounded when a body asks for %s ms", async (delayMs) => {
    const { workflow } = oneStep(`asks-for-${String(delayMs).toLowerCase().replaceAll(/\W/g, "")}`, (calls) => {
      if (calls === 1) throw new RetryAfterError("later", delayMs);
      return calls;
    });
    const { run, steps } = await engine.runToRest(workflow);
    expect(["waiting", "completed"]).toContain(run.status);
    expect(steps[0]?.attempt).toBe(run.status === "waiting" ? 1 : 2);
  });

  it("of one branch does not hold up another", async () => {
    const order: string[] = [];
    let failures = 0;
    const workflow = defineWorkflow(
      { name: "branches-wait", input, retry: { initialDelayMs: 2_000, jitter: 0 } },
      async (ctx) => {
        await Promise.all([
          ctx.step("slow", () => {
            order.push("slow");
            if (failures++ === 0) throw new Error("once");
          }),
          (async () => {
            for (const name of ["a", "b", "c"]) await ctx.step(name, () => void order.push(name));
          })(),
        ]);
        return ctx.step("joined", () => void order.push("joined"));
      },
    );
    const { run } = await engine.runToEnd(workflow);
    expect(run.status).toBe("completed");
    expect(order).toEqual(["slow", "a", "b", "c", "slow", "joined"]);
  });
});

describe("an attempt in doubt", () => {
  it("is on record as unknown; the step continues if its provider honours the key", async () => {
    const keys: string[] = [];
    const workflow = defineWorkflow({ name: "doubt-then-done", input, retry: QUICK }, (ctx) =>
      ctx.step("charge", ({ idempotencyKey }) => {
        keys.push(idempotencyKey);
        if (keys.length === 1) throw new OutcomeUnknownError("the answer was lost");
        return "charged";
      }),
    );
    const { run, attempts } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "completed", output: "charged" });
    expect(attempts).toMatchObject([{ number: 1, status: "unknown", error: { name: "OutcomeUnknownError" } }]);
    expect(new Set(keys).size).toBe(1);
  });

  it("leaves the step unknown when later attempts fail, and the run waits for a person", async () => {
    const { workflow } = oneStep(
      "doubt-then-failure",
      (calls) => {
        throw calls === 1 ? new OutcomeUnknownError("the answer was lost") : new Error("down");
      },
      { effect: "idempotent", retry: { maxAttempts: 3 } },
    );
    const { run, steps, attempts } = await engine.runToRest(workflow);
    expect(run).toMatchObject({
      status: "waiting",
      waiting_kind: "operator",
      attention: "outcome_unknown",
      waiting_step: "try",
    });
    expect(steps).toMatchObject([{ status: "unknown", attempt: 3, error: { message: "the answer was lost" } }]);
    expect(attempts).toMatchObject([{ status: "unknown" }, { status: "failed" }, { status: "failed" }]);
  });

  it("outlasts a rerun under the same key: further failures do not say what the first attempt did", async () => {
    const { workflow } = oneStep(
      "doubt-then-rerun",
      (calls) => {
        throw calls === 1 ? new OutcomeUnknownError("the answer was lost") : new Error("down");
      },
      { effect: "idempotent", retry: { maxAttempts: 2 } },
    );
    const { run } = await engine.runToRest(workflow);
    await rerun(aDesk(engine.db), { runId: run.id, reason: "it is back" });
    const again = await until("The second generation's end", async () => {
      const history = await engine.historyOf(run.id);
      // Between its attempts the run waits, too.
      return history.run.attention !== null && history.steps.length === 2 && history;
    });
    expect(again.run).toMatchObject({ status: "waiting", attention: "outcome_unknown", waiting_step: "try" });
    expect(again.steps.at(-1)).toMatchObject({
      status: "unknown",
      generation: 2,
      error: { message: "the answer was lost" },
    });
  });

  it("is resolved by a definite no to the same key", async () => {
    const { workflow } = oneStep(
      "doubt-then-no",
      (calls) => {
        throw calls === 1 ? new OutcomeUnknownError("the answer was lost") : new NonRetryableError("declined");
      },
      { effect: "idempotent" },
    );
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "failed", attention: "failed" });
    expect(steps).toMatchObject([{ status: "failed", error: { message: "declined" } }]);
  });

  it("of a pure step is a failure like any other", async () => {
    const { workflow } = oneStep(
      "pure-doubt",
      () => {
        throw new OutcomeUnknownError("the answer was lost");
      },
      { retry: { maxAttempts: 1 } },
    );
    expect((await engine.runToEnd(workflow)).steps).toMatchObject([{ status: "failed" }]);
  });
});
