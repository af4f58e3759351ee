import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { OutcomeUnknownError } from "../../engine/steps/outcome-unknown-error";
import { type Context, defineWorkflow } from "../../engine/workflows/workflow";
import { gate } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { replayRun } from "../../testkit/replay-run";
import { nestedCall, outsideBodies, runBody } from "../steps/running-body";

const engine = anEngine();
const input = z.object({});
const retry = { initialDelayMs: 1, jitter: 0 };
const leaf = defineWorkflow({ name: "asked-leaf", input }, async () => "leaf");

describe("a call of the context inside of a body", () => {
  const CALLS: [string, (ctx: Context) => Promise<unknown>][] = [
    ["step", (ctx) => ctx.step("inner", () => "ran")],
    ["transaction", (ctx) => ctx.transaction("inner", async () => "ran")],
    ["sleep", (ctx) => ctx.sleep("inner", 1)],
    ["sleepUntil", (ctx) => ctx.sleepUntil("inner", new Date())],
    ["waitForEvent", (ctx) => ctx.waitForEvent("inner", { event: "never", timeout: 1, default: "ran" })],
    [
      "approval",
      (ctx) => ctx.approval("inner", { question: "Well?", timeout: 1, default: { choice: "approve" } as never }),
    ],
    ["child", (ctx) => ctx.child("inner", leaf, {})],
    ["startChild", (ctx) => ctx.startChild("inner", leaf, {})],
    ["checkpoint", (ctx) => ctx.checkpoint()],
  ];
  it.each(CALLS)("is refused at once, and never tried again: %s", async (name, call) => {
    let bodies = 0;
    const { run, steps } = await engine.runToEnd(
      defineWorkflow({ name: `nested-${name.toLowerCase()}`, input, retry }, (ctx) =>
        ctx.step("outer", async () => {
          bodies++;
          await call(ctx);
        }),
      ),
    );
    expect(run).toMatchObject({ status: "failed", error: { code: "nested_call" }, failed_step: "outer" });
    expect(run.error?.message).toContain('inside the body of step "outer"');
    expect(run.error?.message).toContain(name === "checkpoint" ? "ctx.checkpoint()" : 'Step "inner"');
    expect(steps).toMatchObject([{ name: "outer", status: "failed", attempt: 1 }]);
    expect(bodies).toBe(1);
  });

  const WAYS: [string, (ctx: Context) => Promise<unknown>][] = [
    ["caught", (ctx) => ctx.step("inner", () => "ran").catch(() => "caught")],
    ["not awaited", async (ctx) => void ctx.step("inner", () => "ran")],
    [
      "followed by another error",
      (ctx) => ctx.step("inner", () => "ran").catch(() => Promise.reject(new Error("other"))),
    ],
    ["behind a timer", (ctx) => delay(1).then(() => ctx.step("inner", () => "ran"))],
    ["by a helper beside it", (ctx) => Promise.all([delay(1), delay(1).then(() => ctx.step("inner", () => "ran"))])],
  ];
  it.each(WAYS)("fails the step, also %s", async (way, body) => {
    const { run, steps } = await engine.runToEnd(
      defineWorkflow({ name: `nested-${way.replaceAll(" ", "-")}`, input, retry }, (ctx) =>
        ctx.step("outer", () => body(ctx)),
      ),
    );
    expect(run).toMatchObject({ status: "failed", error: { code: "nested_call" } });
    expect(steps).toMatchObject([{ name: "outer", status: "failed", attempt: 1 }]);
  });

  it.each(["app", "pg"] as const)("rolls a transaction back (%s)", async (client) => {
    await engine.rows("create table if not exists nested_row (client text)");
    const { run, steps } = await engine.runToEnd(
      defineWorkflow({ name: `nested-in-${client}`, input, retry }, (ctx) => {
        const insert = "insert into nested_row values ($1)";
        return client === "pg"
          ? ctx.transaction("outer", (tx) => tx.query(insert, [client]).then(() => ctx.step("inner", () => 1)), {
              client,
            })
          : ctx.transaction("outer", (tx) =>
              tx.$executeRawUnsafe(insert, client).then(() => ctx.step("inner", () => 1)),
            );
      }),
    );
    expect(run.error).toMatchObject({ code: "nested_call" });
    expect(steps).toMatchObject([{ name: "outer", status: "failed", attempt: 1 }]);
    expect(await engine.rows("select * from nested_row where client = $1", [client])).toEqual([]);
  });

  it("is refused in a compensation, which a person then has to see to", async () => {
    const { run, compensations } = await engine.runToRest(
      defineWorkflow({ name: "nested-undo", input, retry, onFailure: "compensate" }, async (ctx) => {
        await ctx.step("charge", () => "charged", { compensate: () => ctx.step("inner", () => "ran") });
        await ctx.step("fail", () => Promise.reject(new Error("no")), { retry: { maxAttempts: 1 } });
      }),
    );
    expect(run.status).toBe("compensating");
    expect(compensations).toMatchObject([
      { step: "charge", status: "failed", attempt: 1, error: { code: "nested_call" } },
    ]);
    expect(compensations[0]?.error?.message).toContain('inside the compensation of step "charge"');
  });

  it("is refused in a reconcile: the step stays unknown, for a person", async () => {
    let inner = 0;
    const { run, steps } = await engine.runToRest(
      defineWorkflow({ name: "nested-reconcile", input, retry }, (ctx) =>
        ctx.step("mail", () => Promise.reject(new OutcomeUnknownError("no answer")), {
          effect: "once",
          reconcile: async () => {
            await ctx.step("inner", () => ++inner).catch(() => undefined);
            return { happened: true, output: undefined as never };
          },
        }),
      ),
    );
    expect(run).toMatchObject({ status: "waiting", attention: "outcome_unknown" });
    expect(steps).toMatchObject([{ name: "mail", status: "unknown" }]);
    expect(inner).toBe(0);
  });

  it("of what a body left running fails the run", async () => {
    const late = gate();
    const { run } = await engine.runToEnd(
      defineWorkflow({ name: "nested-late", input, retry }, async (ctx) => {
        await ctx.step("outer", () => {
          late.opened.then(() => ctx.step("inner", () => "ran")).catch(() => undefined);
        });
        late.open();
        await ctx.step("next", () => delay(5));
      }),
    );
    expect(run).toMatchObject({ status: "failed", error: { code: "nested_call" } });
    expect(run.error?.message).toContain('Step "inner" was asked for inside the body of step "outer"');
  });

  it("leaves log and progress alone", async () => {
    const { run } = await engine.runToEnd(
      defineWorkflow({ name: "nested-log", input }, (ctx) =>
        ctx.step("outer", () => {
          ctx.log("between");
          ctx.progress(1, 2);
        }),
      ),
    );
    expect(run.status).toBe("completed");
  });

  it("is none in the code of another run that a body led to", async () => {
    const of = { kind: "body", step: "outer" } as const;
    expect(await runBody(of, () => outsideBodies(async () => nestedCall("ctx.checkpoint()")))).toBeUndefined();
  });
});

describe("a step that was not awaited when the code returns", () => {
  it("reaches its recorded end, and then fails the run with its name", async () => {
    const held = gate();
    const { run, steps } = await engine.runToEnd(
      defineWorkflow({ name: "floating", input, retry }, async (ctx) => {
        void ctx.step("first", () => "first");
        void ctx.step("floating", () => held.opened.then(() => "floated"));
        setTimeout(() => held.open(), 30);
        return "returned";
      }),
    );
    expect(run).toMatchObject({ status: "failed", error: { code: "not_awaited" }, output: null });
    expect(run.error?.message).toContain('without awaiting steps "first", "floating"');
    expect(steps).toMatchObject([
      { name: "first", status: "completed" },
      { name: "floating", status: "completed", output: "floated" },
    ]);
  });

  it("is compensated with the rest, whichever way the run's failure goes", async () => {
    const undone: string[] = [];
    const { run } = await engine.runToEnd(
      defineWorkflow({ name: "floating-undone", input, retry, onFailure: "compensate" }, async (ctx) => {
        await ctx.step("awaited", () => "done", { compensate: () => void undone.push("awaited") });
        void ctx.step("floating", () => delay(20, "done"), { compensate: () => void undone.push("floating") });
      }),
    );
    expect(run).toMatchObject({ status: "compensated", error: { code: "not_awaited" } });
    expect(undone).toEqual(["floating", "awaited"]);
  });

  it.each([
    ["a sleep", (ctx: Context) => void ctx.sleep("floating", "1h")],
    ["a child", (ctx: Context) => void ctx.startChild("floating", leaf, {})],
    ["one that fails", (ctx: Context) => void ctx.step("floating", () => Promise.reject(new Error("unseen")))],
    [
      "one that has failed",
      (ctx: Context) =>
        void ctx.step("floating", () => Promise.reject(new Error("unseen")), { retry: { maxAttempts: 1 } }),
    ],
    ["one of a pass before", (ctx: Context) => void ctx.step("floating", () => "quick")],
  ])("is named, also %s", async (what, floats) => {
    const { run } = await engine.runToEnd(
      defineWorkflow({ name: `floating-${what.replaceAll(" ", "-")}`, input, retry }, async (ctx) => {
        floats(ctx);
        await ctx.sleep("nap", 20);
      }),
    );
    expect(run).toMatchObject({ status: "failed", error: { code: "not_awaited" } });
    expect(run.error?.message).toContain('without awaiting step "floating"');
  });

  it("is none that a race, an any, an all or a separate handler has", async () => {
    const { run } = await engine.runToEnd(
      defineWorkflow({ name: "floating-not", input, retry }, async (ctx) => {
        const early = ctx.step("early", () => 1);
        await Promise.race([ctx.step("quick", () => 1), ctx.step("slow", () => delay(20)), ctx.sleep("limit", "1h")]);
        await Promise.any([ctx.step("one", () => 1), ctx.step("other", () => delay(20))]);
        await Promise.all([
          ctx.step("a", () => 1),
          ctx.step("b", () => Promise.reject(new Error("no")), { retry: { maxAttempts: 1 } }),
        ]).catch(() => 0);
        ctx.step("handled", () => delay(20)).catch(() => undefined);
        await early;
        return "returned";
      }),
    );
    expect(run).toMatchObject({ status: "completed", output: "returned" });
  });

  it("leaves the error alone with which the code failed", async () => {
    const { run } = await engine.runToEnd(
      defineWorkflow({ name: "floating-fails", input, retry }, async (ctx) => {
        void ctx.step("floating", () => 1);
        throw new Error("its own");
      }),
    );
    expect(run.error).toMatchObject({ message: "its own" });
  });

  it("is found by a replay in a test, too", async () => {
    const workflow = defineWorkflow(
      { name: "floating-replayed", input },
      async (ctx) => void ctx.step("floating", () => 1),
    );
    const { end } = await replayRun([workflow], {
      ...{ id: crypto.randomUUID(), workflow: workflow.name, version: 1, generation: 1, scheduledAt: null, tags: {} },
      ...{ createdAt: new Date().toISOString(), input: {}, steps: [] },
    });
    expect(end).toMatchObject({ status: "failed", error: { message: expect.stringContaining('"floating"') } });
  });
});

it.each<[string, (ctx: Context) => Promise<unknown>, string]>([
  ["step", (ctx) => ctx.step("pay", undefined as never), 'The body of step "pay" is to be a function; got undefined.'],
  [
    "transaction",
    (ctx) => ctx.transaction("pay", null as never),
    'The body of step "pay" is to be a function; got null.',
  ],
  ["child", (ctx) => ctx.child("pay", undefined as never, {} as never), 'The child "pay" is to be a workflow'],
])("a %s without its code fails the run at once, before anything is written", async (what, code, message) => {
  const { run, steps } = await engine.runToEnd(defineWorkflow({ name: `without-code-${what}`, input, retry }, code));
  expect(run).toMatchObject({
    status: "failed",
    error: { code: "invalid_workflow", message: expect.stringContaining(message) },
  });
  expect(steps).toEqual([]);
});
