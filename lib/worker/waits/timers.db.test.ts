import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { RetryAfterError } from "../../engine/steps/retry-policy";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { failAndCompensate } from "../../store/compensations/fail-and-compensate";
import {
  beginCompensation,
  keepCompensation,
  type OpenCompensation,
} from "../../store/compensations/next-compensation";
import { record, recordAlone } from "../../store/steps/record";
import { aRecord, aStepRecord, claimOne } from "../../testing/rows/claims";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const input = z.object({});
const HOUR_MS = 3_600_000;

afterEach(() => {
  vi.useRealTimers();
});

const milliseconds = (instant: unknown) => (instant as Date).getTime();

/** From the start of one step to the start of another, by the database's clock. */
async function between(runId: string, from: string, to: string): Promise<number> {
  const { steps } = await engine.historyOf(runId);
  const at = (name: string) => milliseconds(steps.find((step) => step.name === name)?.started_at);
  return at(to) - at(from);
}

describe("a sleep", () => {
  it.each([
    ["that is an hour behind", "behind", -HOUR_MS],
    ["that is right", "right", 0],
    ["that is an hour ahead", "ahead", HOUR_MS],
  ])("lasts its time on the database's clock, under a worker's clock %s", async (_, word, skewMs) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + skewMs });
    const workflow = defineWorkflow({ name: `sleep-${word}`, input }, async (ctx) => {
      await ctx.sleep("nap", 300);
      await ctx.step("after", () => "after");
    });
    const { run } = await engine.runToEnd(workflow);
    expect(run.status).toBe("completed");
    expect(await between(run.id, "nap", "after")).toBeGreaterThanOrEqual(300);
  });

  it("that is short ends at its instant, not at the worker's next poll", async () => {
    const naps = 10;
    const workflow = defineWorkflow({ name: "short-sleeps", input }, async (ctx) => {
      for (let nap = 0; nap < naps; nap++) await ctx.sleep(`nap:${nap}`, 20);
      await ctx.step("after", () => "after");
    });
    const { run } = await engine.runToEnd(workflow);
    // A worker checks at least every 1.5 s; half of that leaves room for a busy machine.
    expect(await between(run.id, "nap:0", "after")).toBeLessThan((naps * 1_500) / 2);
  });
});

it("a retry waits for its own instant, also when another branch wakes the run before", async () => {
  const workflow = defineWorkflow({ name: "retry-beside-sleep", input }, async (ctx) => {
    await Promise.all([
      ctx.step("busy", ({ attempt }) => {
        if (attempt === 1) throw new RetryAfterError("later", 600);
      }),
      ctx.sleep("nap", 100),
    ]);
  });
  const { run, attempts, steps } = await engine.runToEnd(workflow);
  expect(run.status).toBe("completed");
  expect(attempts).toMatchObject([{ step: "busy", number: 1 }]);
  const failedAt = milliseconds(attempts[0]?.finished_at);
  const triedAgainAt = milliseconds(steps.find(({ name }) => name === "busy")?.started_at);
  expect(triedAgainAt - failedAt).toBeGreaterThanOrEqual(600);
});

describe("a timer that is set while the run is locked", () => {
  /** Locks the run's row before the record, and reports its release. */
  async function heldUnder(runId: string, write: () => Promise<unknown>): Promise<Date> {
    const holder = new pg.Client({ connectionString: engine.database.url });
    await holder.connect();
    await holder.query("begin");
    await holder.query("select from handrail.run where id = $1 for update", [runId]);
    const writing = write();
    await until("The wait for the run", async () => {
      const waiting = await engine.rows(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return waiting.length > 0;
    });
    await delay(200);
    const { rows } = await holder.query<{ at: Date }>("select clock_timestamp() as at");
    await holder.query("commit");
    await holder.end();
    await writing;
    return rows[0]?.at as Date;
  }

  it("counts from when it is recorded", async () => {
    const workflow = defineWorkflow({ name: "timer-held", input }, async () => undefined);
    await engine.start(workflow);
    const claim = await claimOne(engine.db, workflow);
    const step = aStepRecord({ kind: "sleep", effect: "pure", status: "waiting", next: { inMs: 60_000 } });
    const letGo = await heldUnder(claim.id, () => recordAlone(engine.db, [aRecord(claim, { step })]));
    const { steps } = await engine.historyOf(claim.id);
    expect(milliseconds(steps[0]?.next_attempt_at)).toBeGreaterThanOrEqual(letGo.getTime() + 60_000);
  });

  it("counts from when it is recorded for a compensation, too", async () => {
    const workflow = defineWorkflow({ name: "undo-timer-held", input }, async () => undefined);
    await engine.start(workflow);
    const claim = await claimOne(engine.db, workflow);
    await record(engine.db, [aRecord(claim, { step: aStepRecord({ compensationMode: "automatic" }) })]);
    const error = '{"name":"Error","message":"no"}';
    await failAndCompensate(engine.db, { runId: claim.id, epoch: claim.epoch, error, failedStep: null });
    const { epoch, workerId } = await claimOne(engine.db, workflow);
    const undo = (await beginCompensation(engine.db, claim.id, epoch, workerId)) as OpenCompensation;
    const letGo = await heldUnder(claim.id, () =>
      keepCompensation(engine.db, claim.id, epoch, undo, { to: "owed", error, delayMs: 60_000 }),
    );
    const { compensations } = await engine.historyOf(claim.id);
    expect(milliseconds(compensations[0]?.next_attempt_at)).toBeGreaterThanOrEqual(letGo.getTime() + 60_000);
  });
});
