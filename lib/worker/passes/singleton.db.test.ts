import pg from "pg";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { prepareStart, type StartOptions } from "../../engine/runs/start";
import { defineSchedule } from "../../engine/schedules/schedule";
import { defineWorkflow, type Workflow, type WorkflowOptions } from "../../engine/workflows/workflow";
import { clientDb, type Db, poolDb } from "../../store/db";
import { insertRunsOnce } from "../../store/runs/start-many";
import { insertRunOnce } from "../../store/runs/start-run";
import type { Starter } from "../../store/runs/starter";
import { syncSchedules } from "../../store/schedules/sync-schedules";
import { registerWorker, registerWorkflows } from "../../store/workers/workers";
import { cancel, compensate, pause, rerun } from "../../testing/actions";
import { TEST_AUDIT_KEYS } from "../../testing/audit-keys";
import { aDesk } from "../../testing/desk";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { fireDueSchedules } from "../schedules/fire-schedules";

const engine = anEngine();
const input = z.object({ customer: z.string(), n: z.number().default(0) });
type Options = Partial<WorkflowOptions<typeof input>>;

const aSingleton = (name: string, given: Options = {}, code: Workflow["handler"] = async () => "done") =>
  defineWorkflow({ name, input, singleton: { key: ({ customer }) => customer }, ...given }, code);

const startIn = async (db: Db, workflow: Workflow, customer: string, options?: StartOptions, starter?: Starter) =>
  insertRunOnce(db, await prepareStart(workflow, { customer }, options), starter);
const startOf = (workflow: Workflow, customer: string, options?: StartOptions) =>
  startIn(engine.db, workflow, customer, options);

const refusedFor = (runId: string) => ({ code: "singleton_conflict", details: { runId } });
const waitingForLocks = async () =>
  (
    await engine.rows(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into handrail.run%'",
    )
  ).length;
const liveOf = async (workflow: Workflow) =>
  (await engine.rows("select from handrail.run where workflow = $1 and finished_at is null", [workflow.name])).length;

describe("a start of a singleton", () => {
  it("is refused with the live run's id while one of its key lives, and free after its end", async () => {
    const workflow = aSingleton("one-each");
    const first = await startOf(workflow, "a");
    await expect(startOf(workflow, "a")).rejects.toMatchObject(refusedFor(first.id));
    expect((await startOf(workflow, "b")).created).toBe(true);
    await engine.worker([workflow]);
    await engine.untilEnded(first.id);
    expect((await startOf(workflow, "a")).created).toBe(true);
  });

  it("gives the live run back with `existing`, whatever its input", async () => {
    const workflow = aSingleton("joins", { singleton: { onConflict: "existing" } });
    const first = await startOf(workflow, "a");
    expect(await startOf(workflow, "b")).toEqual({ id: first.id, created: false });
    const twins = await Promise.all(["b", "c", "b"].map((customer) => prepareStart(workflow, { customer })));
    const joining = await insertRunsOnce(engine.db, twins);
    expect(joining).toEqual(twins.map(() => ({ id: first.id, created: false })));
  });

  it("fifty at once, from many connections, are one run", async () => {
    const workflow = aSingleton("fifty");
    const pool = new pg.Pool({ connectionString: engine.database.url, max: 20 });
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => startIn(poolDb(pool), workflow, `c${n % 5}`)),
    );
    await pool.end();
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason.code).toBe("singleton_conflict");
    expect(await liveOf(workflow)).toBe(5);
  });

  it("waits for an open transaction that started one, and takes the key over when that rolls back", async () => {
    const workflow = aSingleton("in-transactions");
    for (const end of ["rollback", "commit"]) {
      const client = await engine.database.pool.connect();
      await client.query("begin");
      await startIn(clientDb(client), workflow, "a");
      const other = startOf(workflow, "a").then(
        () => "started",
        (error) => error.code,
      );
      await client.query(end);
      client.release();
      expect(await other).toBe(end === "rollback" ? "started" : "singleton_conflict");
      await engine.rows("delete from handrail.run where workflow = $1", [workflow.name]);
    }
  });

  it("waits for the end of the live run that is being written, and follows it or is refused", async () => {
    const workflow = aSingleton("at-its-end");
    for (const end of ["rollback", "commit"]) {
      const { id } = await startOf(workflow, end);
      const client = await engine.database.pool.connect();
      await client.query("begin");
      await client.query(
        "update handrail.run set status = 'cancelled', finished_at = clock_timestamp(), revision = revision + 1 where id = $1",
        [id],
      );
      const next = startOf(workflow, end).then(
        ({ created }) => created,
        (error) => error.details.runId,
      );
      await until("The start's wait", async () => (await waitingForLocks()) > 0);
      await client.query(end);
      client.release();
      expect(await next).toBe(end === "commit" ? true : id);
    }
  });

  it("in a transaction that cannot see the live run fails with a conflict that a retry resolves", async () => {
    const workflow = aSingleton("repeatable-read");
    const client = await engine.database.pool.connect();
    await client.query("begin isolation level repeatable read");
    await client.query("select from handrail.run limit 1");
    const { id } = await startOf(workflow, "a");
    await expect(startIn(clientDb(client), workflow, "a")).rejects.toMatchObject({ code: "40001" });
    await client.query("rollback");
    await expect(startIn(clientDb(client), workflow, "a")).rejects.toMatchObject(refusedFor(id));
    client.release();
  });

  it("with an idempotency key is repeated while it lives and after its end", async () => {
    const workflow = aSingleton("repeated");
    const first = await startOf(workflow, "a", { idempotencyKey: "k" });
    expect(await startOf(workflow, "a", { idempotencyKey: "k" })).toEqual({ id: first.id, created: false });
    await expect(startOf(workflow, "a", { idempotencyKey: "other" })).rejects.toMatchObject(refusedFor(first.id));
    await engine.worker([workflow]);
    await engine.untilEnded(first.id);
    expect(await startOf(workflow, "a", { idempotencyKey: "k" })).toEqual({ id: first.id, created: false });
  });

  it("of many is all or none", async () => {
    const workflow = aSingleton("many");
    const runs = await Promise.all(["a", "b", "a"].map((customer) => prepareStart(workflow, { customer })));
    // The run that has the key is one of this call's own, and is gone with it.
    const refused = await insertRunsOnce(engine.db, runs).catch((error) => error);
    expect(refused).toMatchObject({ code: "singleton_conflict", details: { index: 2 } });
    expect([refused.details.runId, refused.message]).toEqual([undefined, expect.stringMatching(/^Start 3: A run/)]);
    expect(await liveOf(workflow)).toBe(0);
    const started = await insertRunsOnce(engine.db, runs.slice(0, 2));
    expect(started.map(({ created }) => created)).toEqual([true, true]);
    expect(await engine.rows("select from handrail.run_tag")).toEqual([]);
  });

  it("is refused with a debounce, and for a key that is no text", async () => {
    const debounce = { key: "k", delayMs: 5 };
    await expect(startOf(aSingleton("no-debounce"), "a", { debounce })).rejects.toMatchObject({
      code: "invalid_request",
    });
    const keyless = aSingleton("no-key", { singleton: { key: () => undefined as unknown as string } });
    await expect(startOf(keyless, "a")).rejects.toMatchObject({ code: "invalid_input" });
    const singleton = { onConflict: "wait" as "refuse" };
    expect(() => aSingleton("no-such", { singleton })).toThrow(/onConflict .* one of "refuse", "existing"/);
  });

  it("by a caller who may not see a masked key has keys of its own; a key that reveals nothing is shared", async () => {
    const stranger: Starter = { owner: "token-1", seenWhole: async () => new Set(), joinsOthers: async () => false };
    const masking = aSingleton("masked-key", { masked: ["customer"] });
    const first = await startOf(masking, "ada@example.com");
    const apart = await startIn(engine.db, masking, "ada@example.com", {}, stranger);
    expect(apart.created).toBe(true);
    await expect(startIn(engine.db, masking, "ada@example.com", {}, stranger)).rejects.toMatchObject(
      refusedFor(apart.id),
    );
    const rows = await engine.rows<{ key: string }>("select singleton_key as key from handrail.run where id = $1", [
      first.id,
    ]);
    expect(rows[0]?.key).toMatch(/^masked:/);
    const shared = aSingleton("other-masked", { masked: ["email"] });
    const { id } = await startOf(shared, "c-7");
    await expect(startIn(engine.db, shared, "c-7", {}, stranger)).rejects.toMatchObject(refusedFor(id));
  });
});

describe("a run that no caller is answered for takes its key when it begins", () => {
  it("by SQL: the second fails with the reason, and neither does harm", async () => {
    const workflow = aSingleton("by-sql", {}, (ctx) => ctx.sleep("long", "1h"));
    await registerWorkflows(engine.db, [workflow]);
    const bySql = async () =>
      (await engine.rows<{ id: string }>(`select handrail.start_run('by-sql', '{"customer":"a"}')::text as id`))[0]
        ?.id as string;
    const ids = [await bySql(), await bySql(), await bySql()];
    await engine.worker([workflow]);
    const histories = await Promise.all(ids.map((id) => engine.untilResting(id)));
    const waiting = histories.filter(({ run }) => run.status === "waiting");
    expect(waiting).toHaveLength(1);
    const holder = waiting[0]?.run.id as string;
    for (const { run, steps } of histories)
      if (run.id !== holder) {
        expect(run).toMatchObject({
          status: "failed",
          error: { code: "singleton_conflict", message: expect.stringContaining(holder) },
        });
        expect(steps).toEqual([]);
      }
    await expect(startOf(workflow, "a")).rejects.toMatchObject(refusedFor(holder));
  });

  it("of a parent: the step fails with the live run's id", async () => {
    const child = aSingleton("only-child", {}, (ctx) => ctx.sleep("long", "1h"));
    const parent = defineWorkflow({ name: "parent-of-one", input: z.object({}) }, (ctx) =>
      ctx.child("one", child, { customer: "a" }),
    );
    const { id } = await startOf(child, "a");
    await engine.worker([child, parent]);
    await engine.untilResting(id);
    const { run } = await engine.untilEnded(await engine.start(parent, {}));
    expect(run).toMatchObject({
      status: "failed",
      failed_step: "one",
      error: { code: "child_failed", cause: { code: "singleton_conflict", message: expect.stringContaining(id) } },
    });
  });

  it("of an event", async () => {
    const workflow = aSingleton("by-event", { on: "customer.came" }, (ctx) => ctx.sleep("long", "1h"));
    await engine.worker([workflow]);
    const { id } = await startOf(workflow, "a");
    await engine.rows(`select handrail.send_event('customer.came', '{"customer":"a"}')`);
    const [row] = await engine.rows<{ id: string }>(
      "select id::text from handrail.run where begun_by_event = 'customer.came'",
    );
    const { run } = await engine.untilEnded(row?.id as string);
    expect(run).toMatchObject({
      status: "failed",
      error: { code: "singleton_conflict", message: expect.stringContaining(id) },
    });
  });
});

describe("a live run", () => {
  it("keeps its key while it sleeps and is paused; an operator's cancel frees it", async () => {
    const workflow = aSingleton("held", {}, (ctx) => ctx.sleep("long", "1h"));
    await engine.worker([workflow]);
    const { id } = await startOf(workflow, "a");
    await engine.untilResting(id);
    await pause(aDesk(engine.db), { runId: id, reason: "Wait." });
    await expect(startOf(workflow, "a")).rejects.toMatchObject(refusedFor(id));
    await cancel(aDesk(engine.db), { runId: id, reason: "No longer needed." });
    expect((await startOf(workflow, "a")).created).toBe(true);
  });

  it("refuses the rerun and the compensation of an ended one, with its id; once it has ended they go on", async () => {
    let declined = true;
    const workflow = aSingleton("reopened", {}, async (ctx, given) => {
      await ctx.step("book", () => "booked", { compensate: () => undefined });
      await ctx.step(
        "charge",
        () => {
          if (declined && (given as { n: number }).n === 0) throw new Error("The card was declined.");
        },
        { retry: { maxAttempts: 1 } },
      );
      await ctx.sleep("long", "1h");
    });
    await engine.worker([workflow]);
    const failed = await startOf(workflow, "a");
    await engine.untilEnded(failed.id);
    const live = await insertRunOnce(engine.db, await prepareStart(workflow, { customer: "a", n: 1 }));
    const refused = { code: "not_allowed", message: expect.stringContaining(live.id), details: { runId: live.id } };
    const again = { runId: failed.id, reason: "The bank is back." };
    await expect(rerun(aDesk(engine.db), again)).rejects.toMatchObject(refused);
    await expect(compensate(aDesk(engine.db), again)).rejects.toMatchObject(refused);
    expect((await engine.historyOf(failed.id)).run.status).toBe("failed");
    await engine.untilResting(live.id);
    await cancel(aDesk(engine.db), { runId: live.id, reason: "No longer needed." });
    declined = false;
    expect(await rerun(aDesk(engine.db), again)).toMatchObject({ generation: 2 });
    await expect(startOf(workflow, "a")).rejects.toMatchObject(refusedFor(failed.id));
  });

  it("makes a schedule skip its time, with the reason", async () => {
    const workflow = aSingleton("scheduled-one", {}, (ctx) => ctx.sleep("long", "1h"));
    const { id } = await startOf(workflow, "a");
    const schedule = defineSchedule({
      name: "hourly-one",
      workflow,
      everyMs: 3_600_000,
      input: { customer: "a" },
      overlap: "allow",
    });
    await syncSchedules(engine.db, [schedule]);
    await engine.rows("update handrail.schedule set nominal_at = clock_timestamp(), look_at = clock_timestamp()");
    const registered = {
      name: "scheduler",
      concurrency: 1,
      leaseMs: 60_000,
      workflows: [workflow.name],
      schedules: [schedule.name],
    };
    const workerId = await registerWorker(engine.db, registered);
    const { started } = await fireDueSchedules(
      engine.db,
      workerId,
      new Map([[workflow.name, workflow]]),
      TEST_AUDIT_KEYS,
    );
    expect(started).toEqual([]);
    const [firing] = await engine.rows("select status, reason from handrail.firing where schedule = 'hourly-one'");
    expect(firing).toMatchObject({ status: "skipped", reason: expect.stringContaining(id) });
  });
});
