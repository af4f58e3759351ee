import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { OutcomeUnknownError } from "../../engine/steps/outcome-unknown-error";
import { NonRetryableError } from "../../engine/steps/retry-policy";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { gate } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const input = z.object({});
const QUICK = { initialDelayMs: 1, jitter: 0 };
const define = (name: string, code: Parameters<typeof defineWorkflow<typeof input, unknown>>[1]) =>
  defineWorkflow({ name, input, retry: QUICK }, code);

describe("parallel branches", () => {
  it("run at once under one claim, and their ends are joined once", async () => {
    const inFlight = { now: 0, most: 0 };
    let joined = 0;
    const workflow = define("parallel", async (ctx) => {
      const outputs = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          ctx.step(`item:${index}`, async () => {
            inFlight.most = Math.max(inFlight.most, ++inFlight.now);
            await delay(20);
            inFlight.now--;
            return index;
          }),
        ),
      );
      return ctx.step("join", () => {
        joined++;
        return outputs.reduce((sum, item) => sum + item, 0);
      });
    });
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "completed", output: 435, epoch: 1 });
    expect(inFlight.most).toBe(30);
    expect(joined).toBe(1);
    expect(steps).toHaveLength(31);
  });

  it("of which one waits longer than the others work are joined after it, by another claim", async () => {
    const calls: Record<string, number> = {};
    const count = (name: string) => {
      calls[name] = (calls[name] ?? 0) + 1;
      return calls[name];
    };
    const workflow = defineWorkflow(
      { name: "parallel-wait", input, retry: { initialDelayMs: 200, jitter: 0 } },
      async (ctx) => {
        const step = (name: string, failures = 0) =>
          ctx.step(name, () => {
            if (count(name) <= failures) throw new Error("not yet");
            return name;
          });
        const outputs = await Promise.all([step("a"), step("b", 1), ctx.sleep("nap", 300).then(() => step("c"))]);
        await step("join");
        return outputs;
      },
    );
    const { run } = await engine.runToEnd(workflow);
    expect(run.output).toEqual(["a", "b", "c"]);
    expect(run.epoch).toBeGreaterThan(1);
    expect(calls).toEqual({ a: 1, b: 2, c: 1, join: 1 });
  });

  it("of which one fails: the others' outcomes are recorded before the run ends", async () => {
    const workflow = define("parallel-failure", async (ctx) => {
      await Promise.all([
        ctx.step("fails", () => {
          throw new NonRetryableError("no");
        }),
        ctx.step("slow", () => delay(60, "slow")),
      ]);
    });
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "failed", failed_step: "fails" });
    expect(steps).toMatchObject([{ status: "failed" }, { name: "slow", status: "completed", output: "slow" }]);
  });

  it("that fail one after the other do not end the process", async () => {
    const workflow = define("parallel-unheard", async (ctx) => {
      const first = ctx.step("first", () => {
        throw new NonRetryableError("first");
      });
      const second = ctx.step("second", async () => {
        await delay(30);
        throw new NonRetryableError("second");
      });
      await first;
      await second;
    });
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "failed", failed_step: "first" });
    expect(steps.map(({ status }) => status)).toEqual(["failed", "failed"]);
  });

  it("of which one is in doubt: the others go on until only the person is left", async () => {
    const workflow = define("parallel-doubt", async (ctx) => {
      await Promise.all([
        ctx.step(
          "doubt",
          () => {
            throw new OutcomeUnknownError("lost");
          },
          { effect: "once" },
        ),
        (async () => {
          for (const name of ["a", "b"]) await ctx.step(name, () => delay(10));
          await ctx.sleep("nap", 100);
          await ctx.step("c", () => "c");
        })(),
      ]);
    });
    const runId = await engine.start(workflow);
    await engine.worker([workflow]);
    const { run, steps } = await engine.untilRun(
      runId,
      (history) => history.run.worker_id === null && history.steps.some(({ name }) => name === "c"),
    );
    expect(run).toMatchObject({ status: "waiting", waiting_kind: "operator", waiting_step: "doubt", due_at: null });
    expect(steps.map(({ name, status }) => `${name} ${status}`)).toEqual([
      "doubt unknown",
      "a completed",
      "b completed",
      "nap completed",
      "c completed",
    ]);
  });
});

describe("a race", () => {
  it("is won by the first; the other's outcome is recorded, and the winner stays the same in every replay", async () => {
    const winners: string[] = [];
    const workflow = define("race", async (ctx) => {
      const winner = await Promise.race([
        ctx.step("slow", () => delay(80, "slow")),
        ctx.step("quick", () => delay(5, "quick")),
      ]);
      winners.push(winner);
      await ctx.step("after", () => delay(1));
      return winner;
    });
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "completed", output: "quick" });
    expect(winners).toEqual(["quick"]);
    expect(steps.find(({ name }) => name === "slow")).toMatchObject({ status: "completed", output: "slow" });
  });

  it("is won by the same branch in every replay, when both have ended long since", async () => {
    const winners: string[] = [];
    const workflow = define("race-replayed", async (ctx) => {
      const winner = await Promise.race([
        ctx.step("slow", () => delay(60, "slow")),
        ctx.step("quick", () => delay(5, "quick")),
      ]);
      winners.push(winner);
      await ctx.sleep("nap", 120);
      return ctx.step(`${winner} has won`, () => winner);
    });
    const { run, steps } = await engine.runToEnd(workflow);
    expect(winners).toEqual(["quick", "quick"]);
    expect(run.output).toBe("quick");
    expect(steps.map(({ name }) => name)).toEqual(["slow", "quick", "nap", "quick has won"]);
  });

  it("against a sleep stays lost by a step that ended after it", async () => {
    const workflow = define("race-sleep", async (ctx) => {
      const limitIsOver = gate();
      const winner = await Promise.race([
        ctx.step("work", () => limitIsOver.opened.then(() => "in time")),
        ctx.sleep("limit", 20).then(() => {
          limitIsOver.open();
          return "too late";
        }),
      ]);
      await ctx.sleep("nap", 120);
      return winner;
    });
    expect((await engine.runToEnd(workflow)).run.output).toBe("too late");
  });

  it("is not won by what runs anew over what had ended before", async () => {
    let calls = 0;
    const workflow = defineWorkflow(
      { name: "race-anew", input, retry: { initialDelayMs: 900, jitter: 0 } },
      async (ctx) => {
        const chain = async () => {
          for (let item = 0; item < 10; item++) await ctx.step(`item:${item}`, () => item, { effect: "pure" });
          return "chain";
        };
        const winner = await Promise.race([
          ctx.step("again", () => {
            if (++calls === 1) throw new Error("not yet");
            return "again";
          }),
          chain(),
        ]);
        await ctx.sleep("nap", 1_100);
        return winner;
      },
    );
    expect((await engine.runToEnd(workflow)).run.output).toBe("chain");
  });

  it("that a step in doubt has lost leaves the completed run asking for a person", async () => {
    const workflow = define("race-doubt", async (ctx) =>
      Promise.race([
        ctx.step(
          "doubt",
          () => {
            throw new OutcomeUnknownError("lost");
          },
          { effect: "once" },
        ),
        ctx.step("slow", () => delay(50, "slow")),
      ]),
    );
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "completed", output: "slow", attention: "outcome_unknown" });
    expect(steps[0]).toMatchObject({ name: "doubt", status: "unknown" });
  });
});

describe("steps named from data", () => {
  it.each([
    ["at its end", "stop", (items: string[]): unknown => items.push("new")],
    ["at its front, where the workflow asks to go on", "go_on", (items: string[]): unknown => items.unshift("new")],
  ] as const)("in a loop are one step each, also when the data grows %s", async (_, drift, grow) => {
    const items = ["a", "b"];
    const done: string[] = [];
    const workflow = defineWorkflow({ name: `loop-${drift.replace("_", "-")}`, input, drift }, async (ctx) => {
      for (const item of items) await ctx.step(`item:${item}`, () => void done.push(item));
      await ctx.sleep("nap", 500);
      await ctx.step("after", () => void done.push("after"));
    });
    const runId = await engine.start(workflow);
    await engine.worker([workflow]);
    await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    grow(items);
    expect((await engine.untilEnded(runId)).run.status).toBe("completed");
    expect(done).toEqual(["a", "b", "new", "after"]);
  });

  it("may number a thousand, and come back in one claim", async () => {
    const workflow = define("thousand", async (ctx) => {
      let sum = 0;
      for (let index = 0; index < 1_000; index++)
        sum += await ctx.step(`item:${index}`, () => index, { effect: "pure" });
      await ctx.sleep("nap", 10);
      return sum;
    });
    expect((await engine.runToEnd(workflow)).run.output).toBe(499_500);
  });

  it.each(["", "x".repeat(201), "NUL \0", "half \ud800"])(
    "are refused when they cannot name a step (%j)",
    async (name) => {
      const workflow = define(`bad-name-${name.length}`, (ctx) => ctx.step(name, () => "never"));
      const { run, steps } = await engine.runToEnd(workflow);
      expect(run).toMatchObject({ status: "failed", error: { code: "invalid_workflow" } });
      expect(steps).toEqual([]);
    },
  );

  it("may be as long as a name may be, in any script", async () => {
    const name = "名".repeat(200);
    const workflow = define("long-name", (ctx) => ctx.step(name, ({ idempotencyKey }) => idempotencyKey));
    const { run, steps } = await engine.runToEnd(workflow);
    expect(steps).toMatchObject([{ name }]);
    expect(run.output).toMatch(/^[\x21-\x7e]{1,255}$/);
  });
});

describe("code that catches the failure of a step", () => {
  it("goes on, and meets the same error in every replay", async () => {
    const seen: unknown[] = [];
    const workflow = define("catches", async (ctx) => {
      try {
        await ctx.step("fails", () => {
          throw new NonRetryableError("declined", { cause: Object.assign(new Error("limit"), { code: "E7" }) });
        });
      } catch (error) {
        const { name, message, cause } = error as Error & { cause: Error & { code: string } };
        seen.push({ name, message, cause: cause.message, code: cause.code });
      }
      await ctx.sleep("nap", 30);
      return ctx.step("after", () => "went on");
    });
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "completed", output: "went on", attention: null });
    expect(steps).toMatchObject([{ status: "failed" }, {}, { status: "completed" }]);
    const expected = { name: "NonRetryableError", message: "declined", cause: "limit", code: "E7" };
    expect(seen.length).toBeGreaterThan(1);
    for (const met of seen) expect(met).toEqual(expected);
  });

  it("and fails with another one still names the step as its cause", async () => {
    const workflow = define("wraps", async (ctx) => {
      await ctx
        .step("fails", () => {
          throw new NonRetryableError("declined");
        })
        .catch((cause: unknown) => {
          throw new Error("the order cannot be paid", { cause });
        });
    });
    expect((await engine.runToEnd(workflow)).run).toMatchObject({
      status: "failed",
      failed_step: "fails",
      error: { message: "the order cannot be paid", cause: { message: "declined" } },
    });
  });
});

it("a hundred runs at once do not get into each other's way", async () => {
  const workflow = define("hundred", async (ctx) => {
    const [a, b] = await Promise.all([
      ctx.step("a", () => `${ctx.run.id} a`),
      ctx.transaction("b", async () => `${ctx.run.id} b`, { client: "pg" }),
    ]);
    await ctx.sleep("nap", 5);
    return [a, b, await ctx.step("c", () => `${ctx.run.id} c`)];
  });
  const ids = await Promise.all(Array.from({ length: 100 }, () => engine.start(workflow)));
  await engine.worker([workflow], { concurrency: 100 });
  await engine.worker([workflow], { concurrency: 100 });
  for (const id of ids) expect((await engine.untilEnded(id)).run.output).toEqual([`${id} a`, `${id} b`, `${id} c`]);
});
