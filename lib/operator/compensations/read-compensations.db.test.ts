import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Db, poolDb } from "../../store/db";
import type { BoardFilter } from "../../store/reads/compensations";
import { assign, markCompensated } from "../../testing/actions";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { readCompensationCounts, readCompensations } from "./read-compensations";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query("truncate handrail.compensation"));

async function board(filter: BoardFilter, limit = 2): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await readCompensations(db, { ...filter, limit, cursor });
    seen.push(...page.compensations.map(({ runId, step }) => `${runId} ${step}`));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return seen;
}

describe("the board", () => {
  it("lists the open ones longest owed first, page by page, each once", async () => {
    const first = await aRun(db).compensating();
    const second = await aRun(db).failedToCompensate();
    expect(await board({})).toEqual([
      ...["create-order", "charge-payment", "send-confirmation"].map((step) => `${first} ${step}`),
      ...["create-order", "charge-payment"].map((step) => `${second} ${step}`),
    ]);
  });

  it("lists each lane, counts it, and says whose turn it is", async () => {
    const byHand = await aRun(db).compensating();
    const failed = await aRun(db).failedToCompensate();
    const running = await aRun(db, { workflow: "another" }).compensatingInHand();
    expect(await board({ lane: "by_hand" })).toEqual([`${byHand} send-confirmation`]);
    expect(await board({ lane: "failed" })).toEqual([`${failed} charge-payment`]);
    expect(await board({ lane: "running" })).toEqual([`${running} charge-payment`]);
    expect(await board({ lane: "owed" })).toHaveLength(4);
    expect((await readCompensationCounts(db, {}, 10)).byLane).toEqual({ failed: 1, by_hand: 1, running: 1, owed: 4 });
    expect(await readCompensationCounts(db, {}, 2)).toMatchObject({ byLane: { owed: 2 }, capped: true });
    const { byLane } = await readCompensationCounts(db, { workflow: ["another"] }, 10);
    expect(byLane).toEqual({ failed: 0, by_hand: 0, running: 1, owed: 1 });
    expect(await board({ lane: "owed", workflow: ["another"] })).toEqual([`${running} create-order`]);
    const { compensations } = await readCompensations(db, {});
    const behind = Object.fromEntries(compensations.map(({ runId, step, behind }) => [`${runId} ${step}`, behind]));
    expect(behind[`${byHand} charge-payment`]).toBe("send-confirmation");
    expect(behind[`${byHand} send-confirmation`]).toBeNull();
    expect(behind[`${failed} create-order`]).toBe("charge-payment");
  });

  it("lists assigned and unassigned compensations", async () => {
    const runId = await aRun(db).compensating();
    const step = "send-confirmation";
    await assign(aDesk(db), { runId, step, assignee: "mia", insteadOf: null, signIn: false, inDemo: false });
    expect(await board({ assignee: "mia" })).toEqual([`${runId} ${step}`]);
    expect(await board({ assignee: "tom" })).toEqual([]);
    expect(await board({ free: "true" })).toHaveLength(2);
    expect((await readCompensationCounts(db, { assignee: "mia" }, 10)).byLane).toMatchObject({ by_hand: 1, owed: 0 });
  });

  it("lists what was resolved, the latest first, with people's notes", async () => {
    const runs = [await aRun(db).compensating(), await aRun(db).compensating(), await aRun(db).compensating()];
    for (const runId of runs)
      await markCompensated(aDesk(db), { runId, step: "send-confirmation", outcome: "waived", note: `of ${runId}` });
    expect(await board({ lane: "settled" })).toEqual(runs.toReversed().map((runId) => `${runId} send-confirmation`));
    const { compensations } = await readCompensations(db, { lane: "settled" });
    expect(compensations[0]).toMatchObject({
      lane: "settled",
      compensation: { note: `of ${runs[2]}`, by: "operator" },
    });
  });
});

describe("on a big table", () => {
  it.each<[string, BoardFilter]>([
    ["all that is open", {}],
    ["what failed", { lane: "failed" }],
    ["what is owed by hand", { lane: "by_hand" }],
    ["what is being compensated", { lane: "running" }],
    ["what was settled", { lane: "settled" }],
    ["assigned ones", { assignee: "mia" }],
  ])("%s is read through an index", async (_, filter) => {
    await database.pool.query(`
      with made as (select gen_random_uuid() as id, n from generate_series(1, 12000) as n), run as (
        insert into handrail.run (id, workflow, version, status, input, finished_at)
        select id, 'big', 1, 'completed', '{}', now() from made), step as (
        insert into handrail.step (run_id, name, generation, kind, effect, status, position, finished_position, attempt,
          max_attempts, key_generation, started_at, finished_at)
        select id, 's', 1, 'step', 'once', 'completed', 1, 1, 1, 1, 1, now(), now() from made)
      insert into handrail.compensation (run_id, step, generation, mode, status, position, owed_at, finished_at, assignee, assigned_by, assigned_at)
      select id, 's', 1, case when n % 400 = 0 then 'manual' else 'automatic' end,
        case when n % 300 = 0 then 'failed' when n % 500 = 0 then 'running' when n % 2 = 0 then 'owed' else 'completed' end, 1,
        now() - n * interval '1 s', case when n % 2 = 1 then now() - n * interval '1 s' end,
        case when n % 1000 = 0 then 'mia' end, case when n % 1000 = 0 then 'mia' end, case when n % 1000 = 0 then now() end
      from made`);
    await database.pool.query("analyze handrail.compensation");
    const texts: { text: string; values: unknown[] }[] = [];
    const spied = {
      ...db,
      query: async (statement: { text: string }, values: unknown[]) => {
        texts.push({ text: statement.text, values });
        return [];
      },
    } as unknown as Db;
    await readCompensations(spied, filter);
    for (const { text, values } of texts) {
      const { rows } = await database.pool.query({ text: `explain ${text}`, values });
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan).not.toMatch(/Seq Scan on compensation/);
      expect(plan).toMatch(/Index Scan using compensation_/);
    }
  });
});
