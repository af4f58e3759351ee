import type { PoolClient, QueryResult } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunSort, RunStatus } from "../../engine/runs/run";
import { type Db, poolDb } from "../../store/db";
import { type FoundRuns, findRuns, findText, type RunKey } from "../../store/reads/find-runs";
import { FIRST_LOOK, MOST_LOOKED_AT } from "../../store/reads/pace";
import { heldStatesText } from "../../store/reads/run-counts";
import { Parameters, type RunFilter } from "../../store/reads/run-filter";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { type AskedRuns, walkRuns } from "../../testing/database/walk-runs";
import { readRunCounts, readRuns } from "./reads";
import { readRunHistogram } from "./run-histogram";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
});
afterAll(() => database.drop());

const page = { after: null, limit: 50, most: MOST_LOOKED_AT } as const;
const ids = async (filter: AskedRuns) => (await readRuns(db, filter)).runs.map(({ id }) => id);

describe("on a big table", () => {
  const BIG = 25_000;
  beforeAll(async () => {
    await database.pool.query(`
      insert into handrail.run (id, workflow, version, status, input, created_at, started_at, finished_at, attention, error, failed_step)
      select (lpad(to_hex(1750000000000 + n), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid,
        'big', case when n in (50, 24000) then 2 else 1 end, status, '{}', at, at, at + interval '1 s',
        case status when 'failed' then 'failed' end, case status when 'failed' then '{"name":"E","message":"no"}' end,
        case status when 'failed' then 'step-' || n % 1000 end
      from (select n, to_timestamp(1750000000 + n / 1000.0) as at, case when n % 50 = 0 then 'failed' else 'completed' end as status
        from generate_series(1, ${BIG}) as n) as made`);
    await database.pool.query("analyze handrail.run");
  });

  it("a page reads a bounded number of runs, says how far it read, and the next ones find the rest", async () => {
    const budgetMs = Number.POSITIVE_INFINITY;
    const { seen, lookedBackTo } = await walkRuns(db, { workflow: ["big"], version: [2], budgetMs });
    expect(seen).toHaveLength(2);
    expect(lookedBackTo).toHaveLength(13);
    expect(lookedBackTo[0]).toMatch(/^2025-06-15T15:07:03/);
    expect(lookedBackTo.indexOf(null)).toBe(12);
    const oldestFirst = await walkRuns(db, { workflow: ["big"], version: [2], sort: "oldest" });
    expect(oldestFirst.seen).toEqual(seen.toReversed());
  });

  it("a page that has no time left ends sooner, and nothing is skipped between such pages", async () => {
    const first4999 = { workflow: ["big"], createdBefore: "2025-06-15T15:06:45Z", budgetMs: 0 };
    const rare = await walkRuns(db, { ...first4999, version: [2] });
    expect(rare.seen).toHaveLength(1);
    expect(rare.lookedBackTo).toHaveLength(Math.ceil(4_999 / FIRST_LOOK));
    const common = await walkRuns(db, { ...first4999, status: ["failed", "completed"], notVersion: [2], limit: 200 });
    expect(common.seen).toHaveLength(4_999 - 1);
    expect(common.seen).toEqual([...new Set(common.seen)].sort().reverse());
  });

  it("of several tags, the rarest leads to the runs", async () => {
    await database.pool.query(`
      insert into handrail.run_tag (name, value, run_id)
      select 'region', 'eu', id from handrail.run where workflow = 'big'
      union all (select 'customer', 'c-1', id from handrail.run where workflow = 'big' order by id limit 1)`);
    const [oldest] = await ids({ workflow: ["big"], sort: "oldest", limit: 1 });
    const tags = { region: ["eu", "us"], customer: "c-1" };
    const page = await readRuns(db, { tags, budgetMs: 0 });
    expect([page.runs.map(({ id }) => id), page.lookedBackTo]).toEqual([[oldest], null]);
    expect((await readRunCounts(db, { tags }, 10)).byStatus).toMatchObject({ completed: 1, failed: 0 });
  });

  it("a title is found by its beginning: of few runs through its index, of many among the newest", async () => {
    await database.pool.query(`
      update handrail.run set run_title = case when version = 2 then 'Refund R_' else 'Order O-' end || right(id::text, 5)
      where workflow = 'big' and (version = 2 or id > '01975555-0000-7000-8000-000000000000')`);
    await database.pool.query("analyze handrail.run");
    const budgetMs = 0;
    const few = await readRuns(db, { q: "refund r_", budgetMs });
    expect(few.runs.map(({ version, runTitle }) => [version, runTitle])).toEqual([
      [2, "Refund R_05dc0"],
      [2, "Refund R_00032"],
    ]);
    expect(few.lookedBackTo).toBeNull();
    expect((await readRunCounts(db, { q: "Refund R" }, 10)).byStatus).toMatchObject({ failed: 2 });
    const many = await readRuns(db, { q: "order", budgetMs, limit: 20 });
    expect(many.runs.map(({ runTitle }) => runTitle)).toContain("Order O-061a8");
    expect(many.runs).toHaveLength(20);
    expect(await ids({ q: "refundxr" })).toEqual([]);
    expect(await ids({ q: "re" })).toEqual([]);
  });

  it("for runs that have ended, those that wait at a step are not read", () => {
    const textOf = (status: RunStatus[]) =>
      findText({ step: ["step-50"], status }, new Parameters(), { ...page, sort: "newest" });
    expect(textOf(["failed", "cancelled"])).not.toMatch(/waiting_step|worker_id/);
    for (const status of [[], ["failed", "compensating"]] satisfies RunStatus[][])
      expect(textOf(status)).toMatch(/waiting_step/);
  });

  it("the state of a problem's runs is read from the indexes of what needs attention", async () => {
    const parameters = new Parameters();
    const text = heldStatesText("01975555-0000-7000-8000-00000000beef", parameters, 100);
    const { rows } = await database.pool.query({ text: `explain ${text}`, values: parameters.values });
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).not.toMatch(/Seq Scan/);
    expect(plan).toMatch(/Index Only Scan using run_in_attention/);
    expect(plan).toMatch(/Index Only Scan using run_in_status/);
  });

  it("nothing is skipped where one way to the runs stops before another", async () => {
    const filter: RunFilter = { workflow: ["big"], status: ["failed", "completed"], version: [2] };
    expect((await walkRuns(db, filter)).seen).toHaveLength(2);
    const all: string[] = [];
    for (let after: RunKey | null = null, page: FoundRuns; ; after = page.next) {
      page = await findRuns(db, { ...filter, version: undefined, notVersion: [2] }, { after, limit: 5_000 });
      all.push(...page.ids);
      if (page.next === null) break;
    }
    expect(new Set(all).size).toBe(BIG - 2);
    expect(all).toEqual(all.toSorted().toReversed());
  });

  it("a count that stopped early says so", async () => {
    const { byStatus, partial } = await readRunCounts(db, { workflow: ["big"], version: [2] }, 10_000);
    expect(byStatus).toMatchObject({ failed: 2, completed: 0, pending: 0 });
    expect(partial.byStatus).toEqual(["completed"]);
    expect((await readRunCounts(db, { workflow: ["big"] }, 100)).partial.byStatus).toEqual([]);
  });

  it("is counted over time, bar by bar, each bounded", async () => {
    const window = { createdAfter: "2025-06-15T15:06:40Z", createdBefore: "2025-06-15T15:07:10Z" };
    const { bucketMs, buckets } = await readRunHistogram(db, { workflow: ["big"], ...window });
    expect(bucketMs).toBe(60_000);
    expect(buckets).toEqual([
      { at: "2025-06-15T15:06:00.000Z", started: 1_000, failed: 399, startedMore: true, failedMore: false },
      { at: "2025-06-15T15:07:00.000Z", started: 1_000, failed: 101, startedMore: true, failedMore: false },
    ]);
    const few = await readRunHistogram(db, { workflow: ["big"], version: [2], ...window });
    expect(few.buckets.map(({ started, startedMore }) => [started, startedMore])).toEqual([
      [0, true],
      [0, true],
    ]);
    const atAStep = async (filter: RunFilter) =>
      (await readRunHistogram(db, { step: ["step-50"], ...filter, ...window })).buckets.map((bar) =>
        Object.values(bar),
      );
    expect(await atAStep({})).toEqual([
      ["2025-06-15T15:06:00.000Z", 20, 20, false, false],
      ["2025-06-15T15:07:00.000Z", 5, 5, false, false],
    ]);
    expect((await atAStep({ status: ["completed"] })).map(([, started, failed]) => [started, failed])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    const completed = await readRunHistogram(db, { status: ["completed"], ...window });
    expect(completed.buckets.map(({ failed }) => failed)).toEqual([0, 0]);
    expect((await readRunHistogram(db, { createdAfter: "1h", createdBefore: "2h" })).buckets).toEqual([]);
  });

  it("gives starts beyond the bound as the charts have counted them, where they have", async () => {
    const [window, nowMs] = [
      { createdAfter: "2025-06-15T15:06:00Z", createdBefore: "2025-06-15T15:08:00Z" },
      Date.parse("2025-06-15T15:10:00Z"),
    ];
    const startedOf = async (filter: RunFilter) =>
      (await readRunHistogram(db, { ...window, ...filter }, nowMs)).buckets.map((bar) => [
        bar.started,
        bar.startedMore,
      ]);
    const capped = [
      [1_000, true],
      [1_000, true],
    ];
    expect(await startedOf({})).toEqual(capped);
    await database.pool.query(`insert into handrail.run_rollup (minutes, at, workflow, version, started) values
      (1, '2025-06-15T15:06:00Z', 'big', 1, 19000), (1, '2025-06-15T15:06:00Z', 'big', 2, 1000), (1, '2025-06-15T15:07:00Z', 'big', 1, 4500)`);
    const countedTo = (n: number) =>
      database.pool.query(
        "update handrail.rollup_fold set started_id = (select id from handrail.run where workflow = 'big' order by id offset $1 limit 1)",
        [n - 1],
      );
    await countedTo(24_500);
    const counted = [
      [20_000, false],
      [4_500, true],
    ];
    expect(await startedOf({})).toEqual(counted);
    expect(await startedOf({ workflow: ["big"] })).toEqual(counted);
    expect(await startedOf({ version: [1] })).toEqual(capped);
    await countedTo(19_000);
    expect((await startedOf({}))[0]).toEqual([20_000, true]);
  });

  describe("beside failures of another workflow", () => {
    // Without them an index that begins with the workflow is no better than one that ends with it, and either may be chosen.
    beforeAll(async () => {
      await database.pool.query(`
        insert into handrail.run (id, workflow, version, status, input, created_at, started_at, finished_at, attention, error)
        select gen_random_uuid(), 'other', 1, 'failed', '{}', at, at, at, 'failed', '{"name":"E","message":"no"}'
        from (select to_timestamp(1740000000 + n) as at from generate_series(1, 5000) as n) as made`);
      // At once: autovacuum would come at any time, and plans differ after it.
      await database.pool.query("vacuum analyze handrail.run");
    });

    it.each<[string, RunFilter, RunSort, RegExp]>([
      ["a step", { step: ["step-50"] }, "newest", /run_by_failed_step[\s\S]*run_by_waiting_step/],
      ["an error", { error: ["timeout"] }, "newest", /run_with_error/],
      ["an error of failed runs", { error: ["timeout"], status: ["failed"] }, "newest", /run_in_status/],
      ["a status of a workflow", { status: ["failed"], workflow: ["big"] }, "newest", /run_by_workflow_status/],
      ["a version", { version: [2], workflow: ["big"] }, "newest", /Limit[\s\S]*run_by_workflow|Limit[\s\S]*run_pkey/],
      ["how long it took", { tookOverMs: 5_000 }, "newest", /run_pkey/],
      ["what a run did", { where: ["did:a", "-did:b", "took.a:>2s"] }, "newest", /run_pkey[\s\S]*step_pkey/],
      ["what a run of a workflow did", { where: ["failed-attempts:>3"], workflow: ["big"] }, "newest", /step_pkey/],
      ["a value of the input", { where: ["input.n:>1"] }, "newest", /run_pkey/],
      ["a title", { q: "order a-1", titled: "few" }, "newest", /run_titled/],
      ["a beginning that many titles have", { q: "order", titled: "many" }, "newest", /run_pkey/],
      [
        "a title in a workflow",
        { q: "order", titled: "many", workflow: ["big"] },
        "newest",
        /run_by_workflow|run_pkey/,
      ],
      ["what is left out", { notWorkflow: ["big"], notError: ["x"] }, "newest", /run_pkey/],
      ["the oldest first", {}, "oldest", /run_pkey/],
      ["the latest end first", { status: ["failed"] }, "ended", /run_by_end/],
    ])("%s is read through an index", async (_, filter, sort, index) => {
      const parameters = new Parameters();
      const text = findText(filter, parameters, { ...page, sort });
      // Few enough to sort here, but not in a big table: the order has to come from the index.
      const rows = await withoutSorting((client) =>
        client.query({ text: `explain ${text}`, values: parameters.values }),
      );
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan).not.toMatch(/Seq Scan on (run|step|run_tag)\b/);
      expect(plan).toMatch(index);
      // However few match: the number of runs read for one page is bounded.
      const many = { ...filter, version: [99] };
      const asked = new Parameters();
      const { rows: analysed } = await database.pool.query({
        text: `explain (analyze, timing off, format json) ${findText(many, asked, { ...page, sort })}`,
        values: asked.values,
      });
      expect(mostRows(analysed[0]["QUERY PLAN"][0].Plan)).toBeLessThanOrEqual(MOST_LOOKED_AT + 1);
    });
  });
});

async function withoutSorting(ask: (client: PoolClient) => Promise<QueryResult>) {
  const client = await database.pool.connect();
  try {
    await client.query("set enable_sort = off");
    return (await ask(client)).rows;
  } finally {
    client.release(true);
  }
}

interface Plan {
  "Actual Rows": number;
  Plans?: Plan[];
}

const mostRows = (plan: Plan): number => Math.max(plan["Actual Rows"], ...(plan.Plans ?? []).map(mostRows));
