import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { NonRetryableError } from "../../engine/steps/retry-policy";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { takeOverLostRuns } from "../../store/workers/take-over";
import { wake } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { setFaultHandler } from "../fault-points";

const engine = anEngine();
const input = z.object({});

interface Line {
  during: string;
  step: string | null;
  attempt: number | null;
  message: string;
  data: string | null;
  at: Date;
}
const linesOf = (runId: string) =>
  engine.rows<Line>("select during, step, attempt, message, data, at from handrail.log where run_id = $1 order by id", [
    runId,
  ]);
const saidBy = async (runId: string) => (await linesOf(runId)).map(({ message }) => message);
const progressOf = async (runId: string) =>
  (await engine.rows("select done, total, note from handrail.progress where run_id = $1", [runId]))[0];

describe("lines", () => {
  it("are kept in the order in which they were logged, with their step and attempt", async () => {
    let calls = 0;
    const workflow = defineWorkflow({ name: "log-order", input, retry: { initialDelayMs: 1 } }, async (ctx) => {
      ctx.log("begun", { at: "the top" });
      await ctx.step("first", ({ log, attempt }) => {
        log(`attempt ${attempt}`);
        if (++calls === 1) throw new Error("once more");
        log("worked");
      });
      ctx.log("between");
      await ctx.transaction("second", async (_tx, { log }) => log("in a transaction"), { client: "pg" });
      ctx.log("over");
    });
    const { run } = await engine.runToEnd(workflow);
    expect(await linesOf(run.id)).toMatchObject([
      { during: "code", step: null, attempt: null, message: "begun", data: '{"at":"the top"}' },
      { during: "body", step: "first", attempt: 1, message: "attempt 1", data: null },
      { during: "body", step: "first", attempt: 2, message: "attempt 2" },
      { during: "body", step: "first", attempt: 2, message: "worked" },
      { during: "code", message: "between" },
      { during: "body", step: "second", message: "in a transaction" },
      { during: "code", message: "over" },
    ]);
  });

  it("between steps are kept once, however often the code runs again", async () => {
    let passes = 0;
    const workflow = defineWorkflow({ name: "log-replayed", input }, async (ctx) => {
      passes++;
      ctx.log("top");
      await ctx.step("a", () => "a");
      ctx.log("after a", { n: 1 });
      ctx.log("after a", { n: 2 });
      await ctx.sleep("nap", 10);
      ctx.log("after nap");
      await ctx.sleep("nap again", 10);
      ctx.log("end");
    });
    const { run } = await engine.runToEnd(workflow);
    expect(passes).toBe(3);
    expect(await saidBy(run.id)).toEqual(["top", "after a", "after a", "after nap", "end"]);
  });

  it("are not lost with their worker once a record is kept after them", async () => {
    const workflow = defineWorkflow({ name: "log-lost", input }, async (ctx) => {
      await ctx.step("a", ({ log }) => log("in a"));
      ctx.log("after a");
      await ctx.step("b", ({ log, attempt }) => log(`in b, ${attempt}`));
      ctx.log("after b");
    });
    const runId = await engine.start(workflow);
    let died = false;
    const worker = await engine.worker([workflow]);
    setFaultHandler((point, detail) => {
      if (point !== "step:before-body" || detail !== "b" || died) return;
      died = true;
      worker.worker.lose();
      throw new Error("died");
    });
    await until("The death", () => died);
    await engine.endLeases();
    await takeOverLostRuns(engine.db);
    await engine.worker([workflow]);
    await engine.untilEnded(runId);
    expect(await saidBy(runId)).toEqual(["in a", "after a", "in b, 1", "after b"]);
  });

  it("of a body arrive while it runs", async () => {
    const held = gate();
    const workflow = defineWorkflow({ name: "log-meanwhile", input }, (ctx) =>
      ctx.step("long", async ({ log }) => {
        log("under way");
        await held.opened;
      }),
    );
    const runId = await engine.start(workflow);
    await engine.worker([workflow]);
    await until("The line", async () => (await saidBy(runId)).length === 1);
    expect((await engine.historyOf(runId)).run.status).toBe("running");
    held.open();
    await engine.untilEnded(runId);
  });

  it("of compensations are shown with their step", async () => {
    const workflow = defineWorkflow({ name: "log-undo", input, onFailure: "compensate" }, async (ctx) => {
      await ctx.step("a", () => "a", { compensate: (_, { log }) => log("undoing a") });
      await ctx.transaction("b", async () => "b", { compensate: async (_, { log }) => log("undoing b") });
      ctx.log("about to fail");
      throw new NonRetryableError("no");
    });
    const { run } = await engine.runToEnd(workflow);
    expect(run.status).toBe("compensated");
    expect(await linesOf(run.id)).toMatchObject([
      { during: "code", message: "about to fail" },
      { during: "undo", step: "b", attempt: 1, message: "undoing b" },
      { during: "undo", step: "a", attempt: 1, message: "undoing a" },
    ]);
  });

  it("of any kind never fail the run", async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const workflow = defineWorkflow({ name: "log-odd", input }, async (ctx) => {
      ctx.log("NUL \0 and half \ud800 a pair");
      ctx.log("x".repeat(5_000));
      ctx.log("cycle", cycle);
      ctx.log("large", "y".repeat(5_000));
      ctx.log(undefined as never, () => 1);
      await ctx.step("a", () => "a");
    });
    const { run } = await engine.runToEnd(workflow);
    expect(run.status).toBe("completed");
    const [nul, long, cyclic, large, odd] = await linesOf(run.id);
    expect(nul?.message).toBe("NUL \u2400 and half \ufffd a pair");
    expect(long?.message).toHaveLength(2_000);
    expect(JSON.parse(cyclic?.data as string)).toHaveProperty("notKept");
    expect(JSON.parse(large?.data as string)).toEqual({ $type: "clipped", bytes: 5_002 });
    expect(odd).toMatchObject({ message: "undefined" });
  });

  it("end at the thousandth of a claim, which says so, and at the ten thousandth of a run", async () => {
    const workflow = defineWorkflow({ name: "log-bounded", input }, async (ctx) => {
      for (let line = 1; line <= 1_500; line++) ctx.log(`line ${line}`);
      await ctx.step("a", () => "a");
    });
    const { run } = await engine.runToEnd(workflow);
    const lines = await saidBy(run.id);
    expect(lines).toHaveLength(1_000);
    expect(lines.at(-1)).toMatch(/dropped/);
    const full = await engine.start(workflow, {}, { runAt: new Date(Date.now() + 3_600_000) });
    await engine.rows(
      `insert into handrail.log (run_id, key, during, message, at)
       select $1, 'x' || n, 'code', 'x', clock_timestamp() from generate_series(1, 10000) as n`,
      [full],
    );
    await wake(aDesk(engine.db), { runId: full, reason: "its log is full" });
    await engine.untilEnded(full);
    expect(await saidBy(full)).toHaveLength(10_000);
  });
});

describe("progress", () => {
  it("is written seldom, and the last one always", async () => {
    await engine.rows(`
      create table progress_writes (run_id uuid);
      create function seen_progress() returns trigger language plpgsql as $$
        begin insert into progress_writes values (new.run_id); return null; end $$;
      create trigger seen after insert or update on handrail.progress for each row execute function seen_progress()`);
    const workflow = defineWorkflow({ name: "progress", input }, async (ctx) => {
      for (let done = 1; done <= 200; done++) {
        await ctx.step(`item:${done}`, () => done, { effect: "pure" });
        ctx.progress(done, 200, "items");
      }
      await delay(5);
    });
    const began = performance.now();
    const { run } = await engine.runToEnd(workflow);
    const halfSeconds = (performance.now() - began) / 500;
    expect(await progressOf(run.id)).toEqual({ done: 200, total: 200, note: "items" });
    const writes = await engine.rows("select from progress_writes where run_id = $1", [run.id]);
    expect(writes.length).toBeLessThanOrEqual(halfSeconds + 2);
  });

  it("does not go back while the code runs again", async () => {
    const seen: unknown[] = [];
    const workflow = defineWorkflow({ name: "progress-replayed", input }, async (ctx) => {
      for (let done = 1; done <= 3; done++) {
        await ctx.step(`item:${done}`, () => done);
        ctx.progress(done, 4);
      }
      await ctx.sleep("nap", 10);
      await ctx.step("look", async () => {
        await delay(700);
        seen.push(await progressOf(ctx.run.id));
      });
      ctx.progress(4, 4);
    });
    const { run } = await engine.runToEnd(workflow);
    expect(seen).toEqual([{ done: 3, total: 4, note: null }]);
    expect(await progressOf(run.id)).toEqual({ done: 4, total: 4, note: null });
  });

  it.each([
    [-1, 10],
    [Number.NaN, 10],
    [1, 0],
    [1, Number.POSITIVE_INFINITY],
  ])("of %s of %s fails the run with a clear error", async (done, total) => {
    const workflow = defineWorkflow({ name: `progress-bad-${done}-${total}`.toLowerCase(), input }, async (ctx) => {
      ctx.progress(done, total);
    });
    expect((await engine.runToEnd(workflow)).run).toMatchObject({ status: "failed", error: { code: "invalid_value" } });
  });
});
