import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { anAttempt, aRecord, aRegisteredWorker, aStepRecord, claimOne } from "../../testing/rows/claims";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { clientDb } from "../db";
import { insertManyRuns } from "../runs/start-run";
import { record } from "../steps/record";
import { claimRuns } from "./claim-runs";
import { takeOverLostRuns } from "./take-over";

const engine = anEngine();

/** A separate workflow per test, so that tests do not claim each other's runs. */
const workflowOf = (name: string, timeoutMs?: number) =>
  defineWorkflow({ name, input: z.object({}), ...(timeoutMs && { timeoutMs }) }, async () => undefined);

const startMany = (name: string, count: number) =>
  insertManyRuns(
    engine.db,
    Array.from({ length: count }, () => ({
      workflow: name,
      version: 1,
      input: "{}",
      tags: {},
      runTitle: null,
      idempotencyKey: null,
      runAt: null,
      delayMs: null,
      queueKey: null,
      debounce: null,
      priority: 0,
    })),
  );

const dueIn = (ids: string[], ms: number) =>
  engine.rows(
    `update handrail.run set status = 'waiting', waiting_kind = 'timer', waiting_since = clock_timestamp(),
     due_at = clock_timestamp() + $2::int * interval '1 ms' where id = any ($1::uuid[])`,
    [ids, ms],
  );

describe("a claim", () => {
  it("takes a run with a new epoch, and no other claim gets it", async () => {
    const workflow = workflowOf("claim-one");
    const runId = await engine.start(workflow);
    const run = await claimOne(engine.db, workflow);
    expect(run).toMatchObject({
      id: runId,
      status: "running",
      epoch: 1,
      generation: 1,
      steps: [],
      cancelRequested: false,
    });
    expect((await claimRuns(engine.db, await aRegisteredWorker(engine.db), [workflow], 10)).runs).toEqual([]);
  });

  it("never shares a run with another claim, however many claim at once", async () => {
    const workflow = workflowOf("claim-many");
    const ids = await startMany(workflow.name, 300);
    await dueIn(ids.slice(0, 100), 0);
    const owners = await Promise.all(Array.from({ length: 6 }, () => aRegisteredWorker(engine.db)));
    const taken: string[] = [];
    await Promise.all(
      owners.map(async (owner) => {
        for (let empty = 0; empty < 3; ) {
          const { runs } = await claimRuns(engine.db, owner, [workflow], 20);
          taken.push(...runs.map(({ id }) => id));
          empty = runs.length === 0 ? empty + 1 : 0;
        }
      }),
    );
    expect(taken).toHaveLength(300);
    expect(new Set(taken)).toEqual(new Set(ids));
  });

  it("does not wait for a locked run", async () => {
    const workflow = workflowOf("claim-held");
    const [held, free] = await startMany(workflow.name, 2);
    await engine.db.transaction(async (tx) => {
      await tx.query({ name: "", text: "select from handrail.run where id = $1 for update" }, [held]);
      const { runs } = await claimRuns(engine.db, await aRegisteredWorker(engine.db), [workflow], 10);
      expect(runs.map(({ id }) => id)).toEqual([free]);
    });
  });

  it("takes higher priorities first, then the older run", async () => {
    const workflow = workflowOf("claim-priority");
    const started: string[] = [];
    for (const priority of [0, 5, -5, 5]) started.push(await engine.start(workflow, {}, { priority }));
    const order: string[] = [];
    for (let index = 0; index < 4; index++) order.push((await claimOne(engine.db, workflow)).id);
    expect(order).toEqual([started[1], started[3], started[0], started[2]]);
  });

  it("fills at most half with due runs while others are ready", async () => {
    const workflow = workflowOf("claim-halves");
    const ids = await startMany(workflow.name, 40);
    const due = new Set(ids.slice(0, 20));
    await dueIn([...due], 0);
    const { runs } = await claimRuns(engine.db, await aRegisteredWorker(engine.db), [workflow], 10);
    expect(runs).toHaveLength(10);
    expect(runs.filter(({ id }) => due.has(id))).toHaveLength(5);
  });

  it("leaves runs whose workflow the worker lacks", async () => {
    const known = workflowOf("claim-known");
    const unknown = workflowOf("claim-unknown");
    const left = [await engine.start(unknown), await engine.start(unknown)];
    await dueIn(left.slice(1), 0);
    const owner = await aRegisteredWorker(engine.db);
    expect(await claimRuns(engine.db, owner, [known], 10)).toEqual({ runs: [], nextDueInMs: null });
    expect((await engine.historyOf(left[0] as string)).run).toMatchObject({ status: "pending", epoch: 0 });
  });

  it("takes no run before its instant on the database's clock", async () => {
    const workflow = workflowOf("claim-delayed");
    const runId = await engine.start(workflow, {}, { runAt: new Date(Date.now() + 3_600_000) });
    const owner = await aRegisteredWorker(engine.db);
    const { runs, nextDueInMs } = await claimRuns(engine.db, owner, [workflow], 10);
    expect(runs).toEqual([]);
    expect(nextDueInMs).toBeGreaterThan(3_500_000);
    await engine.rows("update handrail.run set due_at = clock_timestamp() + interval '150 ms' where id = $1", [runId]);
    const run = await until("The claim", async () => (await claimRuns(engine.db, owner, [workflow], 1)).runs[0]);
    const [row] = await engine.rows<{ early: boolean }>(
      "select started_at < created_at + interval '150 ms' as early from handrail.run where id = $1",
      [run.id],
    );
    expect(row).toEqual({ early: false });
  });

  it("returns the latest row of every step", async () => {
    const workflow = workflowOf("claim-steps");
    await engine.start(workflow);
    const first = await claimOne(engine.db, workflow);
    await record(engine.db, [
      aRecord(first, { step: aStepRecord({ name: "done", output: '"é"' }) }),
      aRecord(first, {
        step: aStepRecord({ name: "later", status: "waiting", position: 2 }),
        attempt: anAttempt({ step: "later" }),
      }),
    ]);
    await record(engine.db, [aRecord(first, { run: { to: "pending" } })]);
    const second = await claimOne(engine.db, workflow);
    expect(second.epoch).toBe(2);
    expect(second.steps).toMatchObject([
      { name: "done", status: "completed", output: '"é"', position: 1, finishedPosition: 1, nextKeyGeneration: null },
      { name: "later", status: "waiting", position: 2, finishedPosition: null, dueAt: expect.any(String) },
    ]);
    expect(second.steps[1]?.dueInMs).toBeGreaterThan(50_000);
  });

  it("counts the workflow's timeout from the first claim on", async () => {
    const workflow = workflowOf("claim-deadline", 60_000);
    await engine.start(workflow);
    const first = await claimOne(engine.db, workflow);
    expect(first.deadlineInMs).toBeGreaterThan(55_000);
    await engine.rows("update handrail.run set deadline_at = deadline_at - interval '30 s' where id = $1", [first.id]);
    await record(engine.db, [aRecord(first, { run: { to: "pending" } })]);
    expect((await claimOne(engine.db, workflow)).deadlineInMs).toBeLessThan(31_000);
  });
});

describe("a worker whose lease has ended", () => {
  it("claims nothing, whether it has been buried or not", async () => {
    const workflow = workflowOf("claim-dead");
    const ids = await startMany(workflow.name, 2);
    await dueIn(ids.slice(1), 0);
    const silent = await aRegisteredWorker(engine.db);
    await engine.endLeases();
    expect((await claimRuns(engine.db, silent, [workflow], 10)).runs).toEqual([]);
    await takeOverLostRuns(engine.db);
    expect((await claimRuns(engine.db, silent, [workflow], 10)).runs).toEqual([]);
  });

  it("is not buried under a claim that it began in time", async () => {
    const workflow = workflowOf("claim-last");
    const runId = await engine.start(workflow);
    const silent = await aRegisteredWorker(engine.db);
    await engine.db.transaction(async (tx) => {
      expect((await claimRuns(tx, silent, [workflow], 1)).runs).toHaveLength(1);
      await engine.endLeases();
      await takeOverLostRuns(engine.db);
    });
    expect((await engine.historyOf(runId)).run.status).toBe("running");
    expect(await takeOverLostRuns(engine.db)).toEqual([runId]);
    expect((await engine.historyOf(runId)).run.status).toBe("pending");
  });
});

describe("a backlog", () => {
  it("of sleeping runs is not walked by a claim", async () => {
    const workflow = workflowOf("claim-backlog");
    const ids = await startMany(workflow.name, 5_000);
    await dueIn(ids, 3_600_000);
    await engine.rows("analyze handrail.run");
    const owner = await aRegisteredWorker(engine.db);
    const pool = engine.database.pool;
    const client = await pool.connect();
    await client.query("set plan_cache_mode = force_generic_plan");
    const before = await scanned();
    for (let round = 0; round < 20; round++) await claimRuns(clientDb(client), owner, [workflow], 10);
    await client.query("select pg_stat_force_next_flush()").catch(() => undefined);
    client.release(true);
    const after = await until("The statistics of the claims", async () => {
      const now = await scanned();
      return now.scans > before.scans ? now : undefined;
    });
    // A walk by each claim would read a hundred thousand; the statistics of other tests may arrive late.
    expect(after.entries - before.entries).toBeLessThan(10_000);
    await engine.rows("delete from handrail.run where workflow = $1", [workflow.name]);
  });
});

/** Entries read through the index of timers since the database began. */
async function scanned(): Promise<{ scans: number; entries: number }> {
  const [row] = await engine.rows<{ scans: string; entries: string }>(
    "select idx_scan as scans, idx_tup_read as entries from pg_stat_user_indexes where indexrelname = 'run_due_begun'",
  );
  return { scans: Number(row?.scans), entries: Number(row?.entries) };
}
