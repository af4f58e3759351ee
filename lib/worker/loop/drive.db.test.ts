import { setTimeout as delay } from "node:timers/promises";
import { v7 as uuidv7 } from "uuid";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineSchedule } from "../../engine/schedules/schedule";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { closeIntake } from "../../operator/workflows/intake";
import { memoryBlobs } from "../../testing/blobs";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { claimOne } from "../../testing/rows/claims";
import { gate } from "../../testing/until";
import { aDrive } from "../../testing/workers/a-drive";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const input = z.any();
const NOTHING = { completed: 0, failed: 0, cancelled: 0, waiting: 0, pending: 0, compensating: 0, lost: 0 };

const atWork = () => engine.rows("select from handrail.worker where stopped_at is null");

describe("a drive", () => {
  it("drives due runs to their ends, reports it, and returns long before its deadline", async () => {
    const workflow = defineWorkflow({ name: "drives", input }, async (ctx) => {
      await ctx.step("one", () => 1);
      await ctx.sleep("a-moment", 300);
      return ctx.step("two", () => 2);
    });
    const ids = await Promise.all([1, 2, 3].map(() => engine.start(workflow)));
    const report = await aDrive(engine.database, [workflow], { maxMs: 60_000 });
    expect(report).toMatchObject({ ended: { ...NOTHING, waiting: 3, completed: 3 }, callAgainInMs: 60_000 });
    expect(report.elapsedMs).toBeLessThan(20_000);
    for (const id of ids) expect((await engine.historyOf(id)).run).toMatchObject({ status: "completed", output: 2 });
    expect(await atWork()).toEqual([]);
  });

  it("counts how each claim ended, and returns when the next timer is due", async () => {
    const name = (what: string) => `counts-${what}`;
    const completes = defineWorkflow({ name: name("completes"), input }, async () => "yes");
    const fails = defineWorkflow({ name: name("fails"), input }, async () => {
      throw new Error("no");
    });
    const sleeps = defineWorkflow({ name: name("sleeps"), input }, (ctx) => ctx.sleep("long", "30s"));
    const undoes = defineWorkflow({ name: name("undoes"), input, onFailure: "compensate" }, async (ctx) => {
      await ctx.step("done", () => 1, { compensate: () => undefined });
      throw new Error("undo it");
    });
    const all = [completes, fails, sleeps, undoes];
    for (const workflow of all) await engine.start(workflow);
    const report = await aDrive(engine.database, all);
    expect(report).toMatchObject({
      claimed: 5,
      ended: { ...NOTHING, completed: 1, failed: 2, waiting: 1, compensating: 1 },
    });
    expect(report.callAgainInMs).toBeGreaterThan(15_000);
    expect(report.callAgainInMs).toBeLessThanOrEqual(30_000);
  });

  it("waits for children that it drives", async () => {
    const child = defineWorkflow({ name: "driven-child", input }, (ctx) => ctx.step("a", () => delay(30, "child")));
    const parent = defineWorkflow({ name: "driven-parent", input }, (ctx) => ctx.child("child", child, {}));
    const runId = await engine.start(parent);
    await aDrive(engine.database, [parent, child]);
    expect((await engine.historyOf(runId)).run).toMatchObject({ status: "completed", output: "child" });
  });

  it("fires due schedules once, with any number of drives, and drives their runs", async () => {
    const workflow = defineWorkflow({ name: "driven-by-schedule", input }, async () => "fired");
    const schedules = [defineSchedule({ name: "driven", workflow, everyMs: 3_600_000, input: {} })];
    await aDrive(engine.database, [workflow], { schedules });
    await engine.rows(
      "update handrail.schedule set nominal_at = clock_timestamp() - interval '1 s', look_at = clock_timestamp() - interval '1 s' where name = 'driven'",
    );
    const reports = await Promise.all([1, 2].map(() => aDrive(engine.database, [workflow], { schedules })));
    expect(reports.map(({ fired }) => fired).sort()).toEqual([0, 1]);
    expect(await engine.rows("select status from handrail.run where schedule = 'driven'")).toEqual([
      { status: "completed" },
    ]);
  });

  it("abandons a delete of a blob store that hangs, once it is late", async () => {
    const { blobs, faults, calls } = memoryBlobs();
    faults.delete = "hangs";
    const workflow = defineWorkflow({ name: "driven-beside-blobs", input }, async () => 1);
    const id = await engine.start(workflow);
    await engine.rows(
      `insert into handrail.blob (key, run_id, place, size, gone_at, due_at)
       values ('gone', $1, 'output', 1, clock_timestamp(), clock_timestamp())`,
      [id],
    );
    const began = performance.now();
    const report = await aDrive(engine.database, [workflow], { maxMs: 6_000, blobs });
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(report).toMatchObject({ ended: { completed: 1 } });
    expect(calls.delete).toBe(1);
    expect(await engine.rows("delete from handrail.blob where key = 'gone' returning error")).toEqual([
      { error: null },
    ]);
  });

  it("deletes expired runs", async () => {
    const workflow = defineWorkflow(
      { name: "driven-away", input, retention: { completedMs: 86_400_000 } },
      async () => 1,
    );
    const createdAt = new Date(Date.now() - 2 * 86_400_000);
    const id = uuidv7({ msecs: createdAt.getTime() });
    await aRun(engine.db, { id, workflow: workflow.name, createdAt }).completed();
    expect(await aDrive(engine.database, [workflow], { deletes: false })).toMatchObject({ deleted: 0 });
    expect(await aDrive(engine.database, [workflow])).toMatchObject({ deleted: 1 });
  });

  it("ends the mute of a problem, and resolves one that no run has had for long", async () => {
    await engine.rows(
      `insert into handrail.problem (id, kind, workflow, error_name, pattern, status, muted_until, calm_at, first_at, last_at,
        example_run_id, example_version, example_error)
       select gen_random_uuid(), 'failed', given.workflow, 'Error', 'no', given.status, now() - muted, now() - calm, now(), now(),
        gen_random_uuid(), 1, '{"name":"Error","message":"no"}'
       from (values ('driven-calm', 'open', null, interval '11 minutes'), ('driven-muted', 'muted', interval '1 minute', null))
        as given (workflow, status, muted, calm)`,
    );
    await aDrive(engine.database, [defineWorkflow({ name: "driven-by", input }, async () => 1)]);
    expect(
      await engine.rows(
        `select workflow, status, array(select what from handrail.problem_history where problem_id = problem.id) as history
         from handrail.problem where workflow in ('driven-calm', 'driven-muted') order by workflow`,
      ),
    ).toEqual([
      { workflow: "driven-calm", status: "resolved", history: ["resolve"] },
      { workflow: "driven-muted", status: "open", history: ["mute_ended"] },
    ]);
  });

  it("does not wait for paused new runs", async () => {
    const workflow = defineWorkflow({ name: "driven-past", input }, async () => 1);
    await aDrive(engine.database, [workflow]);
    await closeIntake(aDesk(engine.db), { workflow: workflow.name, reason: "closed for a while" });
    await engine.start(workflow);
    expect(await aDrive(engine.database, [workflow])).toMatchObject({ claimed: 0, callAgainInMs: 60_000 });
  });

  it("takes over what a silent worker has left", async () => {
    const workflow = defineWorkflow({ name: "driven-on", input }, (ctx) => ctx.step("a", () => "a"));
    const runId = await engine.start(workflow);
    await claimOne(engine.db, workflow);
    await engine.endLeases();
    const report = await aDrive(engine.database, [workflow]);
    expect(report).toMatchObject({ takenOver: 1, ended: { completed: 1 } });
    expect((await engine.historyOf(runId)).run).toMatchObject({ status: "completed", epoch: 3 });
  });
});

describe("the time of a drive", () => {
  it("begins nothing after it: the rest is handed back, and the next call continues it", async () => {
    const workflow = defineWorkflow({ name: "long-way", input }, async (ctx) => {
      for (let step = 0; step < 12; step++) await ctx.step(`step-${step}`, () => delay(400));
      return "arrived";
    });
    const runId = await engine.start(workflow);
    const report = await aDrive(engine.database, [workflow], { maxMs: 3_000 });
    expect(report).toMatchObject({ claimed: 1, ended: { ...NOTHING, pending: 1 }, callAgainInMs: 0 });
    const { run, attempts } = await engine.historyOf(runId);
    expect(run).toMatchObject({ status: "pending", worker_id: null });
    expect(attempts).toEqual([]);
    await aDrive(engine.database, [workflow], { maxMs: 60_000 });
    const end = await engine.historyOf(runId);
    expect(end.run).toMatchObject({ status: "completed", output: "arrived" });
    expect(end.steps.map(({ attempt }) => attempt)).toEqual(Array(12).fill(1));
  });

  it("aborts a body that outlasts it, without spending an attempt, and answers in time", async () => {
    const workflow = defineWorkflow({ name: "too-long", input }, (ctx) =>
      ctx.step("held", ({ signal, attempt }) => (attempt === 1 ? delay(60_000, "slow", { signal }) : "quick")),
    );
    const runId = await engine.start(workflow);
    const report = await aDrive(engine.database, [workflow], { maxMs: 3_000 });
    expect(report.ended).toEqual({ ...NOTHING, pending: 1 });
    // A busy machine may be late, but not by the body's minute.
    expect(report.elapsedMs).toBeLessThan(20_000);
    expect((await engine.historyOf(runId)).steps).toMatchObject([{ status: "waiting", failures: 0 }]);
    await aDrive(engine.database, [workflow]);
    expect((await engine.historyOf(runId)).run).toMatchObject({ status: "completed", output: "quick" });
  });

  it("ends at once when its process stops", async () => {
    const begun = gate();
    const workflow = defineWorkflow({ name: "stopped-drive", input }, (ctx) =>
      ctx.step("held", ({ signal }) => {
        begun.open();
        return delay(60_000, undefined, { signal });
      }),
    );
    const runId = await engine.start(workflow);
    const stopping = new AbortController();
    const driving = aDrive(engine.database, [workflow], { maxMs: 120_000, signal: stopping.signal });
    await begun.opened;
    stopping.abort();
    expect((await driving).ended).toEqual({ ...NOTHING, pending: 1 });
    expect((await engine.historyOf(runId)).run.status).toBe("pending");
    expect(await atWork()).toEqual([]);
  });
});

describe("many at once", () => {
  const counted = (name: string) => {
    const bodies = new Map<string, number>();
    const workflow = defineWorkflow({ name, input }, async (ctx) => {
      for (let step = 0; step < 3; step++)
        await ctx.step(`step-${step}`, ({ idempotencyKey }) => {
          bodies.set(idempotencyKey, (bodies.get(idempotencyKey) ?? 0) + 1);
          return delay(5);
        });
    });
    return { workflow, bodies };
  };

  it("overlapping drives run every step once", async () => {
    const { workflow, bodies } = counted("overlap");
    for (let run = 0; run < 80; run++) await engine.start(workflow);
    const reports = await Promise.all([1, 2, 3].map(() => aDrive(engine.database, [workflow], { concurrency: 5 })));
    expect(reports.reduce((sum, { ended }) => sum + ended.completed, 0)).toBe(80);
    expect([...bodies.values()]).toEqual(Array(240).fill(1));
  });

  it("so do a drive and real workers", async () => {
    const { workflow, bodies } = counted("beside");
    for (let run = 0; run < 80; run++) await engine.start(workflow);
    const worker = await engine.worker([workflow], { concurrency: 5 });
    const report = await aDrive(engine.database, [workflow], { concurrency: 5 });
    await worker.worker.untilIdle();
    const [row] = await engine.rows(
      "select count(*)::int as done from handrail.run where workflow = 'beside' and status = 'completed'",
    );
    expect(row).toEqual({ done: 80 });
    expect(report.ended.completed).toBeGreaterThan(0);
    expect([...bodies.values()]).toEqual(Array(240).fill(1));
  });
});
