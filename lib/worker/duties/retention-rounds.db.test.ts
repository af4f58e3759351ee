import { v7 as uuidv7 } from "uuid";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { type Db, poolDb, type Statement } from "../../store/db";
import { listRetention } from "../../store/reads/retention";
import { registerWorkflows } from "../../store/workers/workers";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aRun } from "../../testing/rows/a-run";
import { copyRun } from "../../testing/rows/copy-run";
import { setFaultHandler } from "../fault-points";
import { RetentionWalk } from "./retention";
import { Pace } from "./retention-loop";

// What a round of deletions costs, and that it keeps up.

const DAY = 86_400_000;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => setFaultHandler(undefined));
afterAll(() => database.drop());

/** So many runs of a new workflow that are to be deleted: their ids, in order. */
async function expiredOf(name: string, count: number): Promise<string[]> {
  const db = poolDb(database.pool);
  const workflow = defineWorkflow({ name, input: z.any(), retention: { completedMs: DAY } }, async () => 1);
  await registerWorkflows(db, [workflow]);
  const createdAt = new Date(Date.now() - 3 * DAY);
  const firstMs = createdAt.getTime();
  const id = await aRun(db, { id: uuidv7({ msecs: firstMs }), workflow: name, createdAt }).completed();
  return [id, ...(await copyRun(database.pool, id, { count: count - 1, firstMs }))];
}

function recordingDb(): { db: Db; sent: Statement[] } {
  const sent: Statement[] = [];
  const over = (db: Db): Db => ({
    query: (statement, values) => {
      sent.push(statement);
      return db.query(statement, values);
    },
    transaction: (body) => db.transaction((tx) => body(over(tx))),
  });
  return { db: over(poolDb(database.pool)), sent };
}

async function round(walk: RetentionWalk): Promise<{ gone: string[]; steps: number }> {
  const gone: string[] = [];
  for (let steps = 1; ; steps++) {
    const step = await walk.step();
    gone.push(...step.gone);
    if (!step.more) return { gone, steps };
  }
}

it("batches grow while they are quick", async () => {
  const runs = await expiredOf("grows", 3_000);
  const { gone, steps } = await round(new RetentionWalk(poolDb(database.pool)));
  expect(gone.sort()).toEqual(runs);
  // Fifty at a time it would be sixty.
  expect(steps).toBeLessThan(30);
});

it("what one search has found is deleted in several batches, and other old rows are looked for once a round", async () => {
  const runs = await expiredOf("searched", 600);
  const { db, sent } = recordingDb();
  const { gone, steps } = await round(new RetentionWalk(db));
  expect(gone.sort()).toEqual(runs);
  expect(steps).toBeGreaterThan(2);
  const times = (name: string) => sent.filter((statement) => statement.name === name).length;
  expect([times("retention-policies"), times("delete-old-requests")]).toEqual([1, 1]);
  // One for each workflow of this file.
  expect(times("find-expired-runs")).toBeLessThanOrEqual(2);
});

it("two workers pass each other: one deletes what lies behind the runs that the other has found", async () => {
  const runs = await expiredOf("passed", 1_200);
  const slow = new RetentionWalk(poolDb(database.pool));
  let goOn = () => {};
  const isHeld = new Promise<void>((held) => {
    let first = true;
    setFaultHandler((point) => {
      if (point !== "retention:before-commit" || !first) return undefined;
      first = false;
      held();
      return new Promise((resolve) => {
        goOn = resolve;
      });
    });
  });
  const slowly = round(slow);
  await isHeld;
  expect((await round(new RetentionWalk(poolDb(database.pool)))).gone.sort()).toEqual(runs.slice(1_000));
  goOn();
  expect((await slowly).gone.sort()).toEqual(runs.slice(0, 1_000));
});

/** Of tables that stay small: the workers of a week, the open and latest incidents, up to 10,000 deploys; and of the oldest 1,000 runs. */
const SMALL = /stopped_at|changed_at|- 10000|oldest\.finished_at/;

it("every search ends at its instant: none reads all that is younger, row by row", async () => {
  await expiredOf("ends", 1);
  const { db, sent } = recordingDb();
  await round(new RetentionWalk(db));
  await listRetention(db);
  expect(sent.length).toBeGreaterThan(15);
  const client = await database.pool.connect();
  // As a worker's sessions: what such a plan walks, it walks for want of an index, or of a condition that an index can take.
  await client.query("set enable_seqscan = off; set enable_bitmapscan = off");
  for (const { name, text } of sent) {
    const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain (generic_plan) ${text}`);
    const filters = rows
      .map((row) => row["QUERY PLAN"])
      .filter((line) => !SMALL.test(line) && /Filter:.*[<>]=? .*(clock_timestamp|InitPlan)/.test(line));
    expect.soft(filters, name).toEqual([]);
  }
  client.release();
});

it("pauses are as long as batches, and short once each step has found something for more than a minute", () => {
  const pace = new Pace(0);
  const after = (began: number, more = true, found = true) =>
    pace.pauseAfter({ began, ended: began + 300, found, more });
  expect([after(0), after(59_000), after(60_000), after(90_000)]).toEqual([300, 300, 20, 20]);
  expect(pace.pauseAfter({ began: 91_000, ended: 91_001, found: true, more: true })).toBe(20);
  expect(after(92_000, true, false), "it only looks at runs that are kept").toBe(300);
  expect([after(93_000), after(152_000), after(153_000)]).toEqual([300, 300, 20]);
  expect(after(154_000, false)).toBe(60_000);
  expect([after(214_300), after(274_000), after(275_000)]).toEqual([300, 300, 20]);
});

it("a round that goes on for minutes looks for everything else each minute all the same", async () => {
  await expiredOf("endless", 5_000);
  let now = 0;
  const walk = new RetentionWalk(poolDb(database.pool), undefined, () => now);
  expect((await walk.step()).more).toBe(true);
  const late = await expiredOf("late", 1);
  expect((await walk.step()).gone).not.toContain(late[0]);
  now += 61_000;
  const { gone, more } = await walk.step();
  expect(gone).toContain(late[0]);
  expect(more).toBe(true);
  await round(walk);
});

it("one run that is held does not take along what lies behind it, where batches had to become single runs", async () => {
  const [held, ...rest] = await expiredOf("single", 4);
  const db = poolDb(database.pool);
  const failing: Db = {
    ...db,
    transaction: (body) =>
      db.transaction((tx) =>
        body({
          ...tx,
          query: (statement, values) =>
            statement.name === "delete-expired-runs" && (values[0] as string[]).length > 1
              ? Promise.reject(Object.assign(new Error("too long"), { code: "57014" }))
              : tx.query(statement, values),
        }),
      ),
  };
  const client = await database.pool.connect();
  await client.query("begin");
  await client.query("select from handrail.run where id = $1 for update", [held]);
  const walk = new RetentionWalk(failing, () => undefined);
  expect((await round(walk)).gone.sort()).toEqual(rest);
  await client.query("rollback");
  client.release();
  expect((await round(walk)).gone).toEqual([held]);
});
