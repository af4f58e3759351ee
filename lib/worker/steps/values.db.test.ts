import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Context, defineWorkflow } from "../../engine/workflows/workflow";
import type { StepRow } from "../../store/rows";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const input = z.object({});
const define = (name: string, code: (ctx: Context) => Promise<unknown>) =>
  defineWorkflow({ name, input, retry: { initialDelayMs: 1 } }, code);

const cycle: { self?: unknown } = {};
cycle.self = cycle;
const throwing = {
  get secret() {
    throw new Error("do not look");
  },
};
const deep = (levels: number): unknown => (levels === 0 ? "bottom" : { in: deep(levels - 1) });

const UNKEEPABLE: [string, unknown, string][] = [
  ["a function", { on: () => undefined }, "invalid_value"],
  ["a symbol", Symbol("s"), "invalid_value"],
  ["a cycle", cycle, "invalid_value"],
  ["what lies too deep", deep(200), "invalid_value"],
  ["more than the cap", "x".repeat(1_100_000), "value_too_large"],
  ["a promise inside", { later: Promise.resolve(1) }, "invalid_value"],
];

describe("a step that returns what cannot be kept", () => {
  it.each(UNKEEPABLE.map((row, index) => [index, ...row] as const))(
    "(%i, %s) fails at once, and says where",
    async (index, _, value, code) => {
      const workflow = define(`bad-output-${index}`, async (ctx) => {
        await ctx.step("good", () => "kept");
        await ctx.step("bad", () => value);
      });
      const { run, steps, attempts } = await engine.runToEnd(workflow);
      expect(run).toMatchObject({ status: "failed", failed_step: "bad", error: { code } });
      expect(run.error?.message).toContain('output of step "bad"');
      expect(steps).toMatchObject([
        { status: "completed", output: "kept" },
        { status: "failed", attempt: 1 },
      ]);
      expect(attempts).toEqual([]);
    },
  );

  it("because a getter throws fails, too", async () => {
    const { run } = await engine.runToEnd(define("bad-getter", (ctx) => ctx.step("bad", () => throwing)));
    expect(run).toMatchObject({ status: "failed", failed_step: "bad", error: { message: "do not look" } });
  });
});

describe("a run that returns what cannot be kept", () => {
  it.each(UNKEEPABLE.map((row, index) => [index, ...row] as const))(
    "(%i, %s) fails with its history intact",
    async (index, _, value, code) => {
      const workflow = define(`bad-result-${index}`, async (ctx) => {
        await ctx.step("good", () => "kept");
        return { value };
      });
      const { run, steps } = await engine.runToEnd(workflow);
      expect(run).toMatchObject({ status: "failed", failed_step: null, attention: "failed", error: { code } });
      expect(run.error?.message).toContain("output of workflow");
      expect(steps).toMatchObject([{ status: "completed", output: "kept" }]);
    },
  );
});

describe("what a step's author gives for people to read", () => {
  it.each([
    ["holds what Postgres refuses", () => "a\0b \ud800", "a\ufffdb \ufffd"],
    ["is no text", () => 42 as never, "42"],
    ["is nothing", () => undefined, null],
    [
      "is code that throws",
      () => {
        throw new Error("no reference");
      },
      null,
    ],
  ])("does not fail a step that has had its effect when it %s", async (what, reference, shown) => {
    const workflow = define(`reference-${what.length}`, (ctx) =>
      ctx.step("send", () => "sent", {
        effect: "once",
        reference,
        compensate: "manual",
        instructions: reference as () => string,
      }),
    );
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run.output).toBe("sent");
    expect(steps).toMatchObject([{ status: "completed", reference: shown, instructions: shown }]);
  });
});

describe("a workflow's code that throws", () => {
  it.each([
    ["an Error", "error", new Error("in the code"), { name: "Error", message: "in the code" }],
    ["undefined", "undefined", undefined, { name: "NotAnError" }],
    ["a text", "text", "oops", { name: "NotAnError", message: expect.stringContaining("oops") }],
    [
      "what cannot be read",
      "proxy",
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("no");
          },
        },
      ),
      {},
    ],
  ])("%s fails its run", async (_, name, thrown, error) => {
    const workflow = define(`throws-${name}`, async () => {
      throw thrown;
    });
    expect((await engine.runToEnd(workflow)).run).toMatchObject({ status: "failed", failed_step: null, error });
  });

  it("before its first await fails its run like any other", async () => {
    const workflow = define("throws-sync", () => {
      throw new Error("at once");
    });
    expect((await engine.runToEnd(workflow)).run).toMatchObject({ status: "failed", error: { message: "at once" } });
  });
});

describe("a stored value that cannot be read", () => {
  it("fails its run, and the worker goes on with the others", async () => {
    const workflow = define("unreadable", async () => "done");
    const poisoned = await engine.start(workflow);
    await engine.rows("update handrail.run set input = 'not json' where id = $1", [poisoned]);
    const healthy = await engine.start(workflow);
    await engine.worker([workflow]);
    expect((await engine.untilEnded(poisoned)).run).toMatchObject({
      status: "failed",
      error: { code: "invalid_value" },
    });
    expect((await engine.untilEnded(healthy)).run.output).toBe("done");
  });
});

describe("sleepUntil", () => {
  it.each([
    ["no instant", new Date(Number.NaN)],
    ["the end of time", new Date(8.64e15)],
    ["before the year 1", new Date("-000100-01-01T00:00:00Z")],
    ["a text", "2030-01-01" as never],
  ])("refuses %s with a sentence", async (what, instant) => {
    const workflow = define(`sleeps-${what.length}`, (ctx) => ctx.sleepUntil("nap", instant));
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "failed", error: { code: "invalid_value" } });
    expect(steps).toEqual([]);
  });

  it("an instant in the past goes on at once", async () => {
    const workflow = define("sleeps-past", async (ctx) => {
      await ctx.sleepUntil("nap", new Date("2001-01-01T00:00:00Z"));
      return "awake";
    });
    expect((await engine.runToEnd(workflow)).run.output).toBe("awake");
  });
});

describe("a sleep", () => {
  it.each(["soon", "-5s", Number.NaN, -1, "11y"])("of %s is refused", async (duration) => {
    const workflow = define(`naps-${String(duration).toLowerCase()}`, (ctx) => ctx.sleep("nap", duration));
    expect((await engine.runToEnd(workflow)).run).toMatchObject({ status: "failed", error: { code: "invalid_value" } });
  });

  it("survives the end of its worker, takes effect once, and does not begin anew", async () => {
    const effects: string[] = [];
    const workflow = define("naps-over-restart", async (ctx) => {
      await ctx.sleep("nap", 500);
      await ctx.step("after", () => void effects.push("after"));
    });
    const runId = await engine.start(workflow);
    const first = await engine.worker([workflow]);
    const asleep = await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    await first.stop();
    await engine.worker([workflow]);
    await engine.worker([workflow]);
    const { steps } = await engine.untilEnded(runId);
    const at = (instant: unknown) => (instant as Date).getTime();
    const [before, after] = [asleep.steps[0] as StepRow, steps[0] as StepRow];
    expect(after).toMatchObject({ name: "nap", kind: "sleep", status: "completed" });
    expect(Math.abs(at(after.started_at) - at(before.started_at))).toBeLessThan(400);
    const woken = at(after.finished_at) - at(before.next_attempt_at);
    expect(woken).toBeGreaterThanOrEqual(0);
    expect(effects).toEqual(["after"]);
  });
});
