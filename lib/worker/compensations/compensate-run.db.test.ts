import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { OutcomeUnknownError } from "../../engine/steps/outcome-unknown-error";
import { NonRetryableError } from "../../engine/steps/retry-policy";
import type { StepOptions } from "../../engine/workflows/step-options";
import { type Context, defineWorkflow } from "../../engine/workflows/workflow";
import { failAndCompensate } from "../../store/compensations/fail-and-compensate";
import { record } from "../../store/steps/record";
import { aRecord, aStepRecord, claimOne } from "../../testing/rows/claims";
import { gate } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { PAUSE_MS } from "../claims/claim-pause";
import { setFaultHandler } from "../fault-points";

const engine = anEngine();
const input = z.object({});
const QUICK = { initialDelayMs: 1, jitter: 0 };

beforeAll(() => engine.rows("create table effect (run_id uuid, what text)"));

const fails = (ctx: Context) =>
  ctx.step("fails", () => {
    throw new NonRetryableError("no way on");
  });

const compensating = (name: string, code: (ctx: Context) => Promise<unknown>, retry: object = QUICK) =>
  defineWorkflow({ name, input, onFailure: "compensate", retry }, code);

/** Steps a, b, c, each compensated by its own name; `undo` may do something else instead. */
function threeSteps(
  name: string,
  undo: (step: string, attempt: number, signal: AbortSignal) => unknown = () => undefined,
  options: StepOptions<string> = {},
) {
  const undone: string[] = [];
  const keys: string[] = [];
  const workflow = compensating(name, async (ctx) => {
    for (const step of ["a", "b", "c"])
      await ctx.step(step, () => `output of ${step}`, {
        compensate: async (output, { attempt, idempotencyKey, signal }) => {
          keys.push(idempotencyKey);
          await undo(step, attempt, signal);
          undone.push(output);
        },
        ...options,
      });
    await fails(ctx);
  });
  return { workflow, undone, keys };
}

describe("a run that fails", () => {
  it("has its steps compensated in reverse order of completion, and keeps its error", async () => {
    const { workflow, undone, keys } = threeSteps("undo-order");
    const { run, compensations } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({
      status: "compensated",
      attention: null,
      failed_step: "fails",
      error: { message: "no way on" },
    });
    expect(undone).toEqual(["output of c", "output of b", "output of a"]);
    expect(compensations).toMatchObject(
      ["c", "b", "a"].map((step) => ({ step, mode: "automatic", status: "completed", by: "worker", attempt: 1 })),
    );
    expect(keys).toEqual(["c", "b", "a"].map((step) => `${run.id}:${step}:1:undo`));
  });

  it("has parallel steps compensated in the order of their ends, not of their starts", async () => {
    const undone: string[] = [];
    const workflow = compensating("undo-parallel", async (ctx) => {
      const firstEnds = gate();
      await Promise.all([
        ctx.step("began-first", () => firstEnds.opened, { compensate: () => void undone.push("began-first") }),
        ctx
          .step("ended-first", () => undefined, { compensate: () => void undone.push("ended-first") })
          .then(() => firstEnds.open()),
      ]);
      await fails(ctx);
    });
    expect((await engine.runToEnd(workflow)).run.status).toBe("compensated");
    expect(undone).toEqual(["began-first", "ended-first"]);
  });

  it("without a compensation ends as failed", async () => {
    const workflow = compensating("undo-nothing", fails);
    const { run, compensations } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "failed", attention: "failed" });
    expect(compensations).toEqual([]);
  });

  it("with a step in doubt is not compensated before a person has resolved it", async () => {
    const begun = gate();
    const undone: string[] = [];
    const workflow = compensating("undo-in-doubt", async (ctx) => {
      await ctx.step("a", () => "a", { compensate: () => void undone.push("a") });
      await Promise.all([
        ctx.step(
          "doubt",
          () => {
            begun.open();
            return delay(60_000);
          },
          { effect: "once", timeoutMs: 50 },
        ),
        ctx.step("fails", async () => {
          await begun.opened;
          throw new NonRetryableError("no way on");
        }),
      ]);
    });
    const { run, compensations } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "failed", attention: "outcome_unknown" });
    expect(compensations).toEqual([]);
    expect(undone).toEqual([]);
  });

  it("because its code threw between its steps is compensated, too", async () => {
    const undone: string[] = [];
    const workflow = compensating("undo-code", async (ctx) => {
      await ctx.step("a", () => "a", { compensate: () => void undone.push("a") });
      throw new Error("in the code");
    });
    const { run } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "compensated", failed_step: null, error: { message: "in the code" } });
    expect(undone).toEqual(["a"]);
  });
});

describe("a compensation that fails", () => {
  it("is retried by the step's policy, and earlier steps wait for it", async () => {
    let failures = 0;
    const { workflow, undone } = threeSteps("undo-retried", (step) => {
      if (step === "b" && failures++ < 2) throw new Error("not yet");
    });
    const { run, compensations } = await engine.runToEnd(workflow);
    expect(run.status).toBe("compensated");
    expect(undone).toEqual(["output of c", "output of b", "output of a"]);
    expect(compensations).toMatchObject([
      { attempt: 1 },
      { step: "b", attempt: 3, status: "completed", error: null },
      {},
    ]);
  });

  it("with its retries exhausted stops there and needs attention", async () => {
    const { workflow, undone } = threeSteps("undo-fails", (step) => {
      if (step === "b") throw new NonRetryableError("already shipped");
    });
    const { run, compensations } = await engine.runToRest(workflow);
    expect(run).toMatchObject({
      status: "compensating",
      attention: "compensation_owed",
      waiting_kind: "operator",
      waiting_step: "b",
    });
    expect(compensations).toMatchObject([
      { step: "c", status: "completed" },
      { step: "b", status: "failed", attempt: 1, error: { message: "already shipped" } },
      { step: "a", status: "owed", attempt: 0 },
    ]);
    expect(undone).toEqual(["output of c"]);
  });

  it("by exceeding its step's timeout is retried", async () => {
    let signal: AbortSignal | undefined;
    const { workflow } = threeSteps(
      "undo-slow",
      (step, attempt, given) => {
        if (step !== "c" || attempt > 1) return undefined;
        signal = given;
        return new Promise(() => undefined);
      },
      { timeoutMs: 60 },
    );
    const { run, compensations } = await engine.runToEnd(workflow);
    expect(run.status).toBe("compensated");
    expect(compensations[0]).toMatchObject({ step: "c", status: "completed", attempt: 2 });
    expect(signal?.aborted).toBe(true);
  });
});

it("a manual compensation blocks those of earlier steps", async () => {
  const undone: string[] = [];
  const workflow = compensating("undo-manual", async (ctx) => {
    await ctx.step("a", () => "a", { compensate: () => void undone.push("a") });
    await ctx.step("mail", () => ({ to: "mia" }), {
      compensate: "manual",
      instructions: ({ to }) => `Write to ${to}.`,
    });
    await ctx.step("c", () => "c", { compensate: () => void undone.push("c") });
    await fails(ctx);
  });
  const { run, compensations } = await engine.runToRest(workflow);
  expect(run).toMatchObject({ status: "compensating", attention: "compensation_owed", waiting_step: "mail" });
  expect(compensations).toMatchObject([
    { step: "c", status: "completed" },
    { step: "mail", mode: "manual", status: "owed", instructions: "Write to mia." },
    { step: "a", status: "owed" },
  ]);
  expect(undone).toEqual(["c"]);
});

it("instructions that are text are kept with an unknown outcome, which a person may declare to have happened", async () => {
  const workflow = compensating("undo-unknown", async (ctx) => {
    const lost = () => {
      throw new OutcomeUnknownError("the connection broke");
    };
    await ctx.step("mail", lost, { effect: "once", compensate: "manual", instructions: "Write to mia." });
  });
  const { steps } = await engine.runToRest(workflow);
  expect(steps).toMatchObject([{ status: "unknown", compensation_mode: "manual", instructions: "Write to mia." }]);
});

describe("the compensation of a transactional step", () => {
  const inTransaction = (name: string) =>
    compensating(name, async (ctx) => {
      await ctx.transaction("write", (tx) => tx.profile.create({ data: { userId: ctx.run.id, imageKey: "k" } }), {
        compensate: async ({ userId }, { tx }) => {
          await tx.$executeRaw`insert into effect (run_id, what) values (${userId}::uuid, 'undone')`;
          await tx.profile.delete({ where: { userId } });
        },
      });
      await fails(ctx);
    });

  it("commits together with its record", async () => {
    const { run } = await engine.runToEnd(inTransaction("undo-tx"));
    expect(run.status).toBe("compensated");
    expect(await engine.rows("select from demo.profile where user_id = $1", [run.id])).toEqual([]);
    expect(await engine.rows("select what from effect where run_id = $1", [run.id])).toEqual([{ what: "undone" }]);
  });

  it("leaves nothing behind when it fails before its record", async () => {
    let failures = 0;
    setFaultHandler((point) => {
      if (point === "compensation:after-body" && failures++ === 0) throw new Error("struck");
    });
    const { run, compensations } = await engine.runToEnd(inTransaction("undo-tx-fails"));
    expect(run.status).toBe("compensated");
    expect(compensations).toMatchObject([{ attempt: 2, status: "completed" }]);
    expect(await engine.rows("select what from effect where run_id = $1", [run.id])).toEqual([{ what: "undone" }]);
  });
});

describe("code that no longer has the compensation", () => {
  it.each([
    ["because the step is gone", "gone", async () => undefined],
    [
      "because it declares none any more",
      "bare",
      async (ctx: Context) => ctx.step("a", () => "a").then(() => fails(ctx)),
    ],
  ])("fails it with a message that says what to do, %s", async (_, letter, code) => {
    const name = `undo-missing-${letter}`;
    const workflow = compensating(name, code);
    const runId = await engine.start(workflow);
    const claim = await claimOne(engine.db, workflow);
    const step = aStepRecord({ name: "a", output: '"a"', compensationMode: "automatic" });
    await record(engine.db, [aRecord(claim, { step })]);
    const error = '{"name":"Error","message":"no way on"}';
    await failAndCompensate(engine.db, { runId, epoch: claim.epoch, error, failedStep: null });
    await engine.worker([workflow]);
    const { run, compensations } = await engine.untilResting(runId);
    expect(run).toMatchObject({ status: "compensating", attention: "compensation_owed" });
    expect(compensations).toMatchObject([
      {
        step: "a",
        status: "failed",
        error: { code: "compensation_missing", message: expect.stringContaining("Compensate the step manually") },
      },
    ]);
  });
});

describe("a worker that stops during a compensation", () => {
  it("lets it finish, and hands the rest back", async () => {
    const begun = gate();
    const held = gate();
    const { workflow, undone } = threeSteps("undo-drained", async (step) => {
      if (step !== "c") return;
      begun.open();
      await held.opened;
    });
    const runId = await engine.start(workflow);
    const first = await engine.worker([workflow]);
    await begun.opened;
    const stopped = first.stop(30_000);
    held.open();
    await stopped;
    expect((await engine.historyOf(runId)).run).toMatchObject({ status: "compensating", worker_id: null });
    await engine.worker([workflow]);
    expect((await engine.untilEnded(runId)).run.status).toBe("compensated");
    expect(undone).toEqual(["output of c", "output of b", "output of a"]);
  });

  it.each([
    ["follows its signal", "a", (signal: AbortSignal) => delay(60_000, undefined, { signal })],
    ["ignores its signal", "b", () => new Promise(() => undefined)],
  ])("that %s spends none of its attempts", async (_, letter, body) => {
    const begun = gate();
    const { workflow } = threeSteps(
      `undo-cut-off-${letter}`,
      (step, attempt, signal) => {
        if (step !== "c" || attempt > 1) return undefined;
        begun.open();
        return body(signal);
      },
      { retry: { maxAttempts: 1 } },
    );
    const runId = await engine.start(workflow);
    const first = await engine.worker([workflow]);
    await begun.opened;
    await first.stop(20);
    expect((await engine.historyOf(runId)).compensations[0]).toMatchObject({ step: "c", status: "owed" });
    await engine.worker([workflow]);
    const { run, compensations } = await engine.untilEnded(runId);
    expect(run.status).toBe("compensated");
    expect(compensations[0]).toMatchObject({ step: "c", status: "completed", attempt: 2 });
  });
});

it("compensations begin, and are tried again, as soon as they can: nobody has to look for the run", async () => {
  const { workflow } = threeSteps("undo-soon", (step, attempt) => {
    if (step === "b" && attempt < 3) throw new Error("not yet");
  });
  const { worker } = await engine.worker([workflow]);
  const lock = await engine.database.pool.connect();
  try {
    // The worker's glance, every 1.5 s, would find the run, too: the lock makes it wait.
    await lock.query("begin; lock table handrail.code_request in access exclusive mode");
    const runId = await engine.start(workflow);
    worker.wake();
    const before = performance.now();
    expect((await engine.untilEnded(runId)).run.status).toBe("compensated");
    expect(performance.now() - before).toBeLessThan(PAUSE_MS / 2);
  } finally {
    lock.release(true);
  }
});
