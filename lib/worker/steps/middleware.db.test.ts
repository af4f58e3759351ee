import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { openApp } from "../../app";
import type { BodyCall, Middleware } from "../../engine/workflows/middleware";
import { type Context, defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { poolDb } from "../../store/db";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { untilEnded } from "../../testing/database/history";
import { callWitness } from "../../testing/database/witness";
import { gate } from "../../testing/until";
import { start } from "../../testing/workers/a-worker";
import { startWorker, type TestWorker } from "../../testkit/start-worker";

let database: TestDatabase;
let worker: TestWorker | undefined;
beforeAll(async () => {
  database = await createTestDatabase();
  await callWitness(database.pool);
});
afterEach(() => worker?.stop(100));
afterAll(() => database.drop());

/** A run of this code, to its end, by a worker with this middleware. */
async function run(name: string, middleware: Middleware[], code: (ctx: Context) => Promise<unknown>, options = {}) {
  const workflow = defineWorkflow({ name, input: z.object({}), ...options }, code);
  worker = await startWorker(database.url, [workflow], (pool) => openApp({ middleware }, pool));
  return untilEnded(database.pool, await start(poolDb(database.pool), workflow));
}

it("runs around each body, the first one outermost, with what is known of the attempt; not between steps", async () => {
  const lines: string[] = [];
  const calls: BodyCall[] = [];
  const named =
    (name: string): Middleware =>
    async (call, next) => {
      if (name === "outer") calls.push(call);
      lines.push(`${name} begins ${call.step}`);
      await next();
      lines.push(`${name} ends ${call.step}`);
    };
  const history = await run("mw-order", [named("outer"), named("inner")], async (ctx) => {
    await ctx.step("one", () => lines.push("body of one"), { effect: "once" });
    await ctx.publish("told", 1);
    await ctx.transaction("two", async (tx) => void (await tx.query("select 1")), { client: "pg" });
  });
  expect(history.run.status).toBe("completed");
  expect(lines).toEqual([
    ...["outer begins one", "inner begins one", "body of one", "inner ends one", "outer ends one"],
    ...["outer begins two", "inner begins two", "inner ends two", "outer ends two"],
  ]);
  const of = { run: { id: history.run.id, workflow: "mw-order" }, attempt: 1, signal: expect.any(AbortSignal) };
  expect(calls).toMatchObject([
    { ...of, kind: "step", step: "one", effect: "once", idempotencyKey: `${history.run.id}:one:1` },
    { ...of, kind: "transaction", step: "two" },
  ]);
});

it("a context of its own reaches the body", async () => {
  const tenant = new AsyncLocalStorage<string>();
  const { run: ended } = await run("mw-tenant", [(_, next) => tenant.run("acme", next)], (ctx) =>
    ctx.step("who", () => tenant.getStore()),
  );
  expect(ended.output).toBe("acme");
});

it("an error before the body fails the attempt, which is tried again; the body has not run", async () => {
  let [refusals, bodies] = [0, 0];
  const refuses: Middleware = async (_, next) => {
    if (refusals++ === 0) throw new Error("no tenant");
    await next();
  };
  const { run: ended, attempts } = await run("mw-refuses", [refuses], (ctx) =>
    ctx.step("work", () => ++bodies, { retry: { initialDelayMs: 1 } }),
  );
  expect([ended.output, bodies]).toEqual([1, 1]);
  expect(attempts).toMatchObject([{ number: 1, status: "failed", error: { message: "no tenant" } }]);
});

it("the body's outcome stands: errors after it are logged, and its own error cannot be hidden", async () => {
  const throwsAfter: Middleware = async (_, next) => {
    await next();
    throw new Error("the audit is down");
  };
  const done = await run("mw-after", [throwsAfter], (ctx) => ctx.step("pay", () => "paid", { effect: "once" }));
  expect(done.run).toMatchObject({ status: "completed", output: "paid" });
  const { rows } = await database.pool.query("select message, level, data from handrail.log where run_id = $1", [
    done.run.id,
  ]);
  expect(rows).toMatchObject([{ message: "A middleware failed after the body had ended.", level: "warn" }]);
  expect(rows[0].data).toContain("the audit is down");
  await worker?.stop(100);
  const hides: Middleware = (_, next) => next().catch(() => undefined);
  const failing = await run("mw-hides", [hides], (ctx) =>
    ctx.step("pay", () => Promise.reject(new Error("declined")), { retry: { maxAttempts: 1 } }),
  );
  expect(failing.run.error).toMatchObject({ message: "declined" });
});

it("one that calls next twice runs the body once; one that does not wait for it, or never calls it, is found out", async () => {
  let bodies = 0;
  const twice: Middleware = async (_, next) => {
    await Promise.all([next(), next()]);
  };
  expect((await run("mw-twice", [twice], (ctx) => ctx.step("work", () => ++bodies))).run.output).toBe(1);
  await worker?.stop(100);
  const hasty: Middleware = async (_, next) => void next();
  const slow = () => new Promise((end) => setTimeout(() => end("whole"), 50));
  expect((await run("mw-hasty", [hasty], (ctx) => ctx.step("work", slow))).run.output).toBe("whole");
  await worker?.stop(100);
  const forgets: Middleware = async () => undefined;
  const { run: ended } = await run("mw-forgets", [forgets], (ctx) => ctx.step("work", () => 1));
  expect(ended.error).toMatchObject({
    code: "invalid_workflow",
    message: 'A middleware around step "work" returned without calling next().',
  });
});

it("a body does not begin once its attempt is over, nor after the middleware has returned", async () => {
  let bodies = 0;
  const late: Promise<unknown>[] = [];
  const waits: Middleware = async (call, next) => {
    if (call.step === "slow" && call.attempt === 1) {
      const entered = delay(1_000).then(next);
      late.push(entered.catch((error: Error) => error.message));
      return entered;
    }
    if (call.step !== "returned") return next();
    late.push(delay(50).then(() => next().catch((error: Error) => error.message)));
  };
  const history = await run("mw-late", [waits], async (ctx) => {
    await ctx.step("slow", () => bodies++, { timeoutMs: 300, retry: { maxAttempts: 2, initialDelayMs: 10 } });
    await ctx.step("returned", () => bodies++, { retry: { maxAttempts: 1 } });
  });
  expect(history.run.error).toMatchObject({ code: "invalid_workflow" });
  expect(await Promise.all(late)).toEqual([
    expect.stringContaining("took longer than its timeout"),
    expect.stringContaining("called next() after it had returned"),
  ]);
  // The second attempt's.
  expect(bodies).toBe(1);
});

it("runs around compensations, too", async () => {
  const kinds: string[] = [];
  const notes: Middleware = async ({ kind, step }, next) => {
    kinds.push(`${kind} ${step}`);
    await next();
  };
  const { run: ended } = await run(
    "mw-compensates",
    [notes],
    async (ctx) => {
      await ctx.step("book", () => 1, { compensate: () => undefined });
      await ctx.step("fail", () => Promise.reject(new Error("no")), { retry: { maxAttempts: 1 } });
    },
    { onFailure: "compensate" },
  );
  expect(ended.status).toBe("compensated");
  expect(kinds).toEqual(["step book", "step fail", "compensation book"]);
});

describe("one that goes on and on after the body", () => {
  const input = z.object({});
  const hangs: Middleware = async ({ kind, step, run }, next) => {
    await next().catch(() => undefined);
    const hanging = run.workflow === "mw-hangs-undo" ? kind === "compensation" : step === "pay";
    if (hanging) await new Promise(() => undefined);
  };
  const working = (...workflows: Workflow[]) =>
    startWorker(database.url, workflows, (pool) => openApp({ middleware: [hangs] }, pool));
  const warnings = async (runId: string) => {
    const sql = "select message, data from handrail.log where run_id = $1 and level = 'warn'";
    return (await database.pool.query(sql, [runId])).rows;
  };
  const WARNED = {
    message: "A middleware failed after the body had ended.",
    data: expect.stringContaining("went on for too long after the body"),
  };

  it("makes no timeout of an effect that has happened, hides no error of the body, repeats no compensation", async () => {
    let [bodies, undone] = [0, 0];
    const once = { effect: "once", timeoutMs: 300 } as const;
    const pays = defineWorkflow({ name: "mw-hangs", input }, (ctx) =>
      ctx.step("pay", () => (bodies++ === 0 ? "paid" : "paid twice"), once),
    );
    const fails = defineWorkflow({ name: "mw-hangs-failed", input }, (ctx) =>
      ctx.step("pay", () => Promise.reject(new Error("declined")), once),
    );
    const undoes = defineWorkflow({ name: "mw-hangs-undo", input, onFailure: "compensate" }, async (ctx) => {
      await ctx.step("pay", () => 1, { timeoutMs: 300, compensate: () => void undone++ });
      await ctx.step("fail", () => Promise.reject(new Error("no")), { retry: { maxAttempts: 1 } });
    });
    worker = await working(pays, fails, undoes);
    const ended = async (workflow: typeof pays | typeof fails | typeof undoes) =>
      untilEnded(database.pool, await start(poolDb(database.pool), workflow));
    const [paid, failed, compensated] = await Promise.all([ended(pays), ended(fails), ended(undoes)]);
    expect(paid.run).toMatchObject({ status: "completed", output: "paid" });
    expect(failed.run).toMatchObject({ status: "failed", error: { message: "declined" } });
    expect(compensated.run.status).toBe("compensated");
    expect([bodies, undone, paid.attempts]).toEqual([1, 1, []]);
    for (const { run } of [paid, failed, compensated]) expect(await warnings(run.id)).toMatchObject([WARNED]);
  });

  it("does not leave the outcome unknown when the worker stops", async () => {
    const paid = gate();
    const pay = () => {
      paid.open();
      return "paid";
    };
    const workflow = defineWorkflow({ name: "mw-hangs-stopped", input }, (ctx) =>
      ctx.step("pay", pay, { effect: "once" }),
    );
    worker = await working(workflow);
    const id = await start(poolDb(database.pool), workflow);
    await paid.opened;
    await worker.stop(100);
    const { rows } = await database.pool.query("select status, output from handrail.step where run_id = $1", [id]);
    expect(rows).toEqual([{ status: "completed", output: '"paid"' }]);
    expect(await warnings(id)).toMatchObject([WARNED]);
  });

  it("does not make a known failure unknown when the worker stops", async () => {
    const refused = gate();
    const pay = () => {
      refused.open();
      throw new Error("declined");
    };
    const workflow = defineWorkflow({ name: "mw-hangs-refused", input }, (ctx) =>
      ctx.step("pay", pay, { effect: "once", retry: { maxAttempts: 1 } }),
    );
    worker = await working(workflow);
    const id = await start(poolDb(database.pool), workflow);
    await refused.opened;
    await worker.stop(100);
    const { rows } = await database.pool.query("select status, error from handrail.step where run_id = $1", [id]);
    expect(rows).toMatchObject([{ status: "failed", error: expect.stringContaining("declined") }]);
  });
});
