import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Db, poolDb } from "../../store/db";
import { findText, type RunKey } from "../../store/reads/find-runs";
import { MOST_LOOKED_AT } from "../../store/reads/pace";
import { Parameters, type RunFilter } from "../../store/reads/run-filter";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aRun } from "../../testing/rows/a-run";
import { readRun, readRunCounts, readRuns } from "./reads";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
});
afterAll(() => database.drop());

const ids = async (filter: RunFilter & { limit?: number }) => (await readRuns(db, filter)).runs.map(({ id }) => id);
const cap = 10_000;

describe("a list of runs", () => {
  it("comes newest first, page by page, each run once, also while others begin", async () => {
    const workflow = "paging";
    const made: string[] = [];
    for (let index = 0; index < 7; index++) made.push(await aRun(db, { workflow }).completed());
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await readRuns(db, { workflow: [workflow], limit: 2, cursor });
      seen.push(...page.runs.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
      await aRun(db, { workflow }).completed();
    } while (cursor);
    expect(seen).toEqual(made.toReversed());
  });

  it("says that there is no next page when the last one is full", async () => {
    const workflow = "full";
    await aRun(db, { workflow }).completed();
    await aRun(db, { workflow }).completed();
    expect((await readRuns(db, { workflow: [workflow], limit: 2 })).nextCursor).toBeNull();
  });

  it("filters by every status, alone and together", async () => {
    const workflow = "statuses";
    const made = {
      pending: await aRun(db, { workflow }).pending(),
      running: await aRun(db, { workflow }).runningAt("create-order"),
      waiting: await aRun(db, { workflow }).waitingUnknown("charge-payment"),
      completed: await aRun(db, { workflow }).completed(),
      failed: await aRun(db, { workflow }).failedAt("charge-payment"),
      cancelled: await aRun(db, { workflow }).cancelledWithUnknown("charge-payment"),
      compensating: await aRun(db, { workflow }).compensating(),
      compensated: await aRun(db, { workflow }).like({ status: "compensated", steps: [] }),
      paused: await aRun(db, { workflow }).paused(),
    } as const;
    for (const [status, id] of Object.entries(made))
      expect(await ids({ workflow: [workflow], status: [status as keyof typeof made] }), status).toEqual([id]);
    expect(await ids({ workflow: [workflow], status: ["failed", "paused", "failed"] })).toEqual([
      made.paused,
      made.failed,
    ]);
    expect(await ids({ workflow: [workflow], attention: ["outcome_unknown"] })).toEqual([made.cancelled, made.waiting]);
    expect(await ids({ workflow: [workflow], attention: ["outcome_unknown"], status: ["waiting"] })).toEqual([
      made.waiting,
    ]);
    expect((await readRunCounts(db, { workflow: [workflow] }, cap)).byStatus).toEqual(
      Object.fromEntries(Object.keys(made).map((status) => [status, 1])),
    );
  });

  it("finds a run scheduled for later among the pending ones", async () => {
    const workflow = "later";
    const id = await aRun(db, { workflow }).pending();
    await database.pool.query("update handrail.run set due_at = now() + interval '1 day' where id = $1", [id]);
    expect(await ids({ workflow: [workflow], status: ["pending"] })).toEqual([id]);
    expect((await readRun(db, id)).runAt).not.toBeNull();
  });

  it("filters by tags, all of which must fit", async () => {
    const both = await aRun(db, { tags: { shop: "berlin", orderId: "T-1" } }).completed();
    await aRun(db, { tags: { shop: "berlin", orderId: "T-2" } }).completed();
    expect(await ids({ tags: { shop: "berlin", orderId: "T-1" } })).toEqual([both]);
    expect(await ids({ tags: { shop: "berlin" } })).toHaveLength(2);
    expect(await ids({ tags: { shop: "paris" } })).toEqual([]);
  });

  it("filters by when runs began", async () => {
    const workflow = "window";
    const at = (text: string) => new Date(text);
    const made = [];
    for (const createdAt of [at("2026-01-01T00:00:00Z"), at("2026-01-02T00:00:00Z"), at("2026-01-03T00:00:00Z")])
      made.push(await aRun(db, { workflow, createdAt, id: uuidv7({ msecs: createdAt.getTime() }) }).completed());
    const filter = {
      workflow: [workflow],
      createdAfter: "2026-01-02T00:00:00Z",
      createdBefore: "2026-01-02T23:00:00+00:00",
    };
    expect(await ids(filter)).toEqual([made[1]]);
    expect(await ids({ workflow: [workflow], createdAfter: "2026-01-02T00:00:00Z" })).toEqual([made[2], made[1]]);
    expect(await ids({ workflow: [workflow], createdBefore: "2026-01-02T00:00:00Z" })).toEqual([made[0]]);
  });

  it("leaves long inputs out and says how long they are", async () => {
    const input = JSON.stringify("x".repeat(20_000));
    const id = await aRun(db, { workflow: "long", input }).completed();
    expect((await readRuns(db, { workflow: ["long"] })).runs[0]?.input).toEqual({ $type: "clipped", bytes: 20_002 });
    expect((await readRun(db, id)).input).toHaveLength(20_000);
  });

  it("shows twelve steps in its bar and counts the others", async () => {
    const steps = Array.from({ length: 30 }, (_, index) => ({
      name: `page-${index + 1}`,
      status: "completed" as const,
    }));
    await aRun(db, { workflow: "many-steps" }).like({ status: "completed", steps });
    const [run] = (await readRuns(db, { workflow: ["many-steps"] })).runs;
    expect(run?.stepBar.map(({ name }) => name)).toEqual(steps.slice(0, 12).map(({ name }) => name));
    expect(run).toMatchObject({ stepCount: 30, summary: "Completed. 30 steps are done, the last one “Page 30”." });
  });

  it("shows them in their order, whether they are done or not", async () => {
    const open = new Set([3, 11, 12, 13, 29]);
    const steps = Array.from({ length: 30 }, (_, index) => ({
      name: `page-${index + 1}`,
      status: open.has(index + 1) ? ("running" as const) : ("completed" as const),
    }));
    await aRun(db, { workflow: "open-steps" }).like({ status: "cancelled", steps });
    const [run] = (await readRuns(db, { workflow: ["open-steps"] })).runs;
    expect(run?.stepBar.map(({ name, status }) => ({ name, status }))).toEqual(steps.slice(0, 12));
  });

  it("says the same of a run as its own page does", async () => {
    const workflow = "sentences";
    for (const make of [
      () => aRun(db, { workflow }).failedAt("send-confirmation"),
      () => aRun(db, { workflow }).waitingUnknown("charge-payment"),
      () => aRun(db, { workflow }).failedToCompensate(),
      () => aRun(db, { workflow }).asleepAfter("charge-payment"),
    ]) {
      const id = await make();
      const [listed] = (await readRuns(db, { workflow: [workflow], limit: 1 })).runs;
      expect(listed?.id).toBe(id);
      expect(listed?.summary).toBe((await readRun(db, id)).summary);
    }
  });
});

describe("the page of a run of very many steps", () => {
  it("has the step that it waits at, with its compensation, wherever that is", async () => {
    const id = await aRun(db).completed();
    const [last, failed] = [10_001, 6_000];
    await database.pool.query("delete from handrail.step where run_id = $1", [id]);
    await database.pool.query(
      `insert into handrail.step (run_id, name, generation, kind, effect, status, position, finished_position, attempt, max_attempts,
         key_generation, output, started_at, finished_at, compensation_mode)
       select $1, 'step-' || n, 1, 'step', 'idempotent', 'completed', n, n, 1, 4, 1, '1', now(), now(), 'automatic' from generate_series(1, $2::int) as n`,
      [id, last],
    );
    await database.pool.query(
      `insert into handrail.compensation (run_id, step, generation, mode, status, position, attempt, failures, error, "by", owed_at, started_at, finished_at)
       select $1, 'step-' || n, 1, 'automatic', case when n > $3::int then 'completed' when n = $3::int then 'failed' else 'owed' end, n,
         (n >= $3::int)::int, (n = $3::int)::int, case when n = $3::int then '{"name":"Error","message":"no"}' end,
         case when n > $3::int then 'worker' end, now(), case when n >= $3::int then now() end, case when n > $3::int then now() end
       from generate_series(1, $2::int) as n`,
      [id, last, failed],
    );
    await database.pool.query(
      `update handrail.run set status = 'compensating', attention = 'compensation_owed', waiting_kind = 'operator', waiting_step = $2,
         waiting_since = now(), finished_at = null, output = null where id = $1`,
      [id, `step-${failed}`],
    );
    const run = await readRun(db, id);
    const step = run.steps.find(({ name }) => name === `step-${failed}`);
    expect(step?.compensation).toMatchObject({ status: "failed" });
    expect(run.acts.find(({ act }) => act === "mark_compensated")).toMatchObject({ open: true });
  });
});

describe("q", () => {
  it("finds a run by its id, by the beginning of it, by its key and by the value of a tag", async () => {
    const id = "01955555-aaaa-7aaa-8aaa-aaaaaaaaaaaa";
    await aRun(db, { id, idempotencyKey: "key-1", tags: { orderId: "Q-17" } }).completed();
    for (const q of [id, id.toUpperCase(), "01955555", "01955555-aaaa", "01955555aaaa7", "key-1", "Q-17"])
      expect(await ids({ q }), q).toEqual([id]);
    for (const q of ["0195555", "q-17", "key", "Q-1", "' or true --", "%"]) expect(await ids({ q }), q).toEqual([]);
  });

  it("finds a run once, however many of its names fit, and within the other filters", async () => {
    const id = await aRun(db, { idempotencyKey: "SAME", tags: { a: "SAME", b: "SAME" } }).completed();
    expect(await ids({ q: "SAME" })).toEqual([id]);
    expect(await ids({ q: "SAME", status: ["completed"] })).toEqual([id]);
    expect(await ids({ q: "SAME", status: ["failed"] })).toEqual([]);
    expect((await readRunCounts(db, { q: "SAME" }, cap)).byStatus).toMatchObject({ completed: 1, failed: 0 });
  });
});

describe("counts", () => {
  it("stop at their cap and say so", async () => {
    const workflow = "counted";
    for (let index = 0; index < 4; index++) await aRun(db, { workflow }).failedAt("create-order");
    const counts = await readRunCounts(db, { workflow: [workflow] }, 3);
    expect(counts).toMatchObject({ byStatus: { failed: 3, completed: 0 }, byAttention: { failed: 3 }, capped: true });
    expect(await readRunCounts(db, { workflow: [workflow] }, 4)).toMatchObject({
      byStatus: { failed: 4 },
      capped: false,
    });
  });

  it("ignore the filter on their own dimension, so that what was not chosen can be", async () => {
    const workflow = "facets";
    await aRun(db, { workflow }).completed();
    await aRun(db, { workflow }).failedAt("create-order");
    expect(await readRunCounts(db, { workflow: [workflow], status: ["failed"] }, cap)).toMatchObject({
      byStatus: { failed: 1, completed: 1 },
      byAttention: { failed: 1 },
    });
    expect((await readRunCounts(db, { workflow: [workflow], attention: ["failed"] }, cap)).byStatus).toMatchObject({
      failed: 1,
      completed: 0,
    });
  });
});

describe("on a big table", () => {
  beforeAll(async () => {
    await database.pool.query(`
      insert into handrail.run (id, workflow, version, status, input, created_at, finished_at, attention, error, waiting_kind, idempotency_key)
      select (lpad(to_hex(1750000000000 + n), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid,
        'big-' || n % 5, 1, status, '{}', to_timestamp(1750000000 + n / 1000.0),
        case when status in ('completed', 'failed') then now() end, case status when 'failed' then 'failed' end,
        case status when 'failed' then '{"name":"Error","message":"x"}' end,
        case status when 'waiting' then 'timer' end, 'big-' || n
      from (select n, case when n % 500 = 0 then 'failed' when n % 700 = 0 then 'waiting' else 'completed' end as status
        from generate_series(1, 60000) as n) as made`);
    await database.pool.query(
      "insert into handrail.run_tag (name, value, run_id) select 'n', idempotency_key, id from handrail.run where idempotency_key like 'big-%'",
    );
    await database.pool.query("analyze handrail.run");
    await database.pool.query("analyze handrail.run_tag");
  });

  it.each<[string, RunFilter, string | null]>([
    ["no filter", {}, null],
    ["a later page", {}, "01977420-0000-7000-8000-000000000000"],
    ["a rare status", { status: ["failed"] }, null],
    ["several statuses", { status: ["failed", "waiting", "completed"] }, null],
    ["a status that no run has", { status: ["running"] }, null],
    ["pending", { status: ["pending"] }, null],
    ["an attention", { attention: ["failed"] }, null],
    ["a workflow", { workflow: ["big-3"] }, null],
    ["an id", { q: "01975555-0000-7000-8000-000000000000" }, null],
    ["a key", { q: "big-42" }, null],
    ["a tag", { tags: { n: "big-42" } }, null],
    ["a window", { createdAfter: "2025-06-15T15:06:40Z", createdBefore: "2025-06-15T15:06:50Z" }, null],
  ])("%s is read through an index", async (_, filter, before) => {
    const parameters = new Parameters();
    const after: RunKey | null = before === null ? null : [before, null];
    const text = findText(filter, parameters, { after, limit: 50, sort: "newest", most: MOST_LOOKED_AT });
    const { rows } = await database.pool.query({ text: `explain ${text}`, values: parameters.values });
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    // Of snoozes a few are read, in any order.
    expect(plan).not.toMatch(/Seq Scan on (?!snooze)/);
    expect(plan).toMatch(/Index|Bitmap/);
  });
});
