import type { PoolClient, QueryResult } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunSort } from "../engine/run";
import { type Db, poolDb } from "../store/db";
import { type FoundRuns, findRuns, findText, MOST_LOOKED_AT, type RunKey } from "../store/reads/find-runs";
import { Parameters, type RunFilter } from "../store/reads/run-filter";
import { aRun } from "../testing/a-run";
import { createTestDatabase, type TestDatabase } from "../testing/database";
import { aDesk } from "../testing/desk";
import { makePlan } from "./make-plan";
import { readRunCounts, readRuns } from "./reads";
import { readRunHistogram } from "./run-histogram";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
});
afterAll(() => database.drop());

type Asked = RunFilter & { sort?: RunSort; limit?: number };
const ids = async (filter: Asked) => (await readRuns(db, filter)).runs.map(({ id }) => id);
const update = (id: string, set: string) => database.pool.query(`update handrail.run set ${set} where id = $1`, [id]);

/** Every id of a list, walked to its end, and how many pages that took. */
async function walked(filter: Asked) {
  const seen: string[] = [];
  const lookedBackTo: (string | null)[] = [];
  let cursor: string | undefined;
  do {
    const page = await readRuns(db, { ...filter, cursor });
    seen.push(...page.runs.map(({ id }) => id));
    lookedBackTo.push(page.lookedBackTo);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return { seen, lookedBackTo };
}

describe("a filter", () => {
  it("by step finds what failed there, waits there or executes it, and no run that has been there", async () => {
    const workflow = ["stands"];
    const of = { workflow: "stands" };
    const failed = await aRun(db, of).failedAt("charge-payment");
    const unknown = await aRun(db, of).waitingUnknown("charge-payment");
    const running = await aRun(db, of).runningAt("charge-payment");
    const completed = await aRun(db, of).completed();
    const asleep = await aRun(db, of).asleepAfter("charge-payment");
    expect(await ids({ workflow, step: ["charge-payment"] })).toEqual([running, unknown, failed]);
    expect(await ids({ workflow, step: ["wait-a-day", "charge-payment"], status: ["waiting"] })).toEqual([
      asleep,
      unknown,
    ]);
    expect(await ids({ workflow, notStep: ["charge-payment"] })).toEqual([asleep, completed]);
    expect((await readRunCounts(db, { workflow, step: ["charge-payment"] }, 10)).byStatus).toMatchObject({
      failed: 1,
      waiting: 1,
      running: 1,
      completed: 0,
    });
  });

  it("by error finds a part of its name, code or message, whatever its case", async () => {
    const workflow = ["errs"];
    const refused = await aRun(db, { workflow: "errs" }).failedAt("charge-payment");
    const other = await aRun(db, { workflow: "errs" }).failedAt("charge-payment");
    await update(
      other,
      `error = '{"name":"GatewayTimeout","message":"after 100 % of, \\"5 s\\"","stack":"econnrefused"}'`,
    );
    const completed = await aRun(db, { workflow: "errs" }).completed();
    for (const error of ["econnrefused", "Connect", "127.0.0.1:3001"])
      expect(await ids({ workflow, error: [error] }), error).toEqual([refused]);
    for (const error of ["gatewaytimeout", '100 % of, "5 s"'])
      expect(await ids({ workflow, error: [error] }), error).toEqual([other]);
    for (const error of ["_", "%", "stack", "x' or true --"])
      expect(await ids({ workflow, error: [error, "no such"] }), error).toEqual(error === "%" ? [other] : []);
    expect(await ids({ error: ["gatewaytimeout"] })).toEqual([other]);
    expect(await ids({ workflow, notError: ["refused"] })).toEqual([completed, other]);
  });

  it("by error finds nothing of a workflow that masks something, for who may not look at that", async () => {
    await database.pool.query(
      "insert into handrail.workflow (name, version, title, masked) values ('veiled', 1, 'V', '{iban}')",
    );
    const id = await aRun(db, { workflow: "veiled" }).failedAt("charge-payment");
    expect(await ids({ workflow: ["veiled"], error: ["refused"] })).toEqual([id]);
    expect(await ids({ workflow: ["veiled"], error: ["refused"], blind: true })).toEqual([]);
    // Nor does what is left out tell of it.
    expect(await ids({ workflow: ["veiled"], notError: ["refused"], blind: true })).toEqual([id]);
  });

  it("by version, and by several values of a tag", async () => {
    const workflow = ["versions"];
    const [first, second] = [
      await aRun(db, { workflow: "versions", tags: { shop: "berlin" } }).completed(),
      await aRun(db, { workflow: "versions", tags: { shop: "paris" } }).completed(),
    ];
    await update(second, "version = 7");
    expect(await ids({ workflow, version: [7] })).toEqual([second]);
    expect(await ids({ workflow, notVersion: [7] })).toEqual([first]);
    expect(await ids({ tags: { shop: ["berlin", "paris"] } })).toEqual([second, first]);
    expect(await ids({ tags: { shop: ["berlin", "rome"] }, notWorkflow: ["versions"] })).toEqual([]);
  });

  it("by how long it took, until its end or until now", async () => {
    const workflow = ["took"];
    const [quick, slow, still] = [
      await aRun(db, { workflow: "took" }).completed(),
      await aRun(db, { workflow: "took" }).completed(),
      await aRun(db, { workflow: "took" }).runningAt("charge-payment"),
    ];
    await update(quick, "started_at = finished_at - interval '1 second'");
    await update(slow, "started_at = finished_at - interval '6 minutes'");
    await update(still, "started_at = clock_timestamp() - interval '1 hour'");
    expect(await ids({ workflow, tookOverMs: 300_000 })).toEqual([still, slow]);
    expect(await ids({ workflow, tookUnderMs: 300_000 })).toEqual([quick]);
    expect(await ids({ workflow, tookOverMs: 1_000, tookUnderMs: 360_000 })).toEqual([quick]);
  });

  it("by how long ago it began", async () => {
    const id = await aRun(db, { workflow: "ago" }).completed();
    expect(await ids({ workflow: ["ago"], createdAfter: "1h" })).toEqual([id]);
    expect(await ids({ workflow: ["ago"], createdBefore: "1h" })).toEqual([]);
    await expect(ids({ createdAfter: "tomorrow" })).rejects.toThrow('"tomorrow" is no time');
  });

  it("is the plan: every field finds the same runs for both", async () => {
    const filter: RunFilter = { workflow: ["stands"], step: ["charge-payment"], createdAfter: "1h", notVersion: [9] };
    const plan = await makePlan(aDesk(db), { act: "cancel", params: {} }, { filter });
    expect(plan.items.map(({ runId }) => runId)).toEqual(await ids(filter));
  });
});

describe("the order", () => {
  it("may be the oldest first, or the latest end first among those that ended badly", async () => {
    const workflow = ["order"];
    const made = [];
    for (let index = 0; index < 5; index++) made.push(await aRun(db, { workflow: "order" }).failedAt("charge-payment"));
    const [a, b, c, d, e] = made as [string, string, string, string, string];
    expect((await walked({ workflow, sort: "oldest", limit: 2 })).seen).toEqual(made);
    await update(b, "finished_at = now() + interval '1 hour'");
    // Ends at one instant are told apart by their ids, and none is skipped between two pages.
    for (const id of [a, c, d]) await update(id, "finished_at = '2026-01-01T00:00:00.123456Z'");
    const byEnd = await walked({ workflow, status: ["failed"], sort: "ended", limit: 2 });
    expect(byEnd.seen).toEqual([b, e, d, c, a]);
    await expect(ids({ workflow, sort: "ended" })).rejects.toThrow("Filter by these statuses");
    const { nextCursor } = await readRuns(db, { workflow, limit: 2 });
    await expect(readRuns(db, { workflow, limit: 2, sort: "oldest", cursor: nextCursor ?? "" })).rejects.toThrow(
      "cursor",
    );
  });
});

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

  it("a page looks at so many runs, says how far it looked, and the next ones find the rest", async () => {
    const { seen, lookedBackTo } = await walked({ workflow: ["big"], version: [2] });
    expect(seen).toHaveLength(2);
    expect(lookedBackTo).toHaveLength(13);
    expect(lookedBackTo[0]).toMatch(/^2025-06-15T15:07:03/);
    expect(lookedBackTo.indexOf(null)).toBe(12);
    const oldestFirst = await walked({ workflow: ["big"], version: [2], sort: "oldest" });
    expect(oldestFirst.seen).toEqual(seen.toReversed());
  });

  it("nothing is skipped where one way to the runs stops before another", async () => {
    const filter: RunFilter = { workflow: ["big"], status: ["failed", "completed"], version: [2] };
    expect((await walked(filter)).seen).toHaveLength(2);
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

  it("is told over time, bar by bar, each bounded", async () => {
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

  it("tells starts beyond what is counted as the charts have counted them, where these can tell", async () => {
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

  it.each<[string, RunFilter, RunSort, RegExp]>([
    ["a step", { step: ["step-50"] }, "newest", /run_by_failed_step[\s\S]*run_by_waiting_step/],
    ["an error", { error: ["timeout"] }, "newest", /run_with_error/],
    ["an error of failed runs", { error: ["timeout"], status: ["failed"] }, "newest", /run_in_status/],
    ["a status of a workflow", { status: ["failed"], workflow: ["big"] }, "newest", /run_by_workflow_status/],
    ["a version", { version: [2], workflow: ["big"] }, "newest", /Limit[\s\S]*run_by_workflow|Limit[\s\S]*run_pkey/],
    ["how long it took", { tookOverMs: 5_000 }, "newest", /run_pkey/],
    ["what is left out", { notWorkflow: ["big"], notError: ["x"] }, "newest", /run_pkey/],
    ["the oldest first", {}, "oldest", /run_pkey/],
    ["the latest end first", { status: ["failed"] }, "ended", /run_by_end/],
  ])("%s is read through an index", async (_, filter, sort, index) => {
    const parameters = new Parameters();
    const text = findText(filter, parameters, { after: null, limit: 50, sort });
    // Few enough to sort here, and not where there are many: the order has to come from the index.
    const rows = await withoutSorting((client) => client.query({ text: `explain ${text}`, values: parameters.values }));
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).not.toMatch(/Seq Scan on (run|step|run_tag)\b/);
    expect(plan).toMatch(index);
    // However few fit: what is looked at for one page is bounded.
    const many = { ...filter, version: [99] };
    const asked = new Parameters();
    const { rows: analysed } = await database.pool.query({
      text: `explain (analyze, timing off, format json) ${findText(many, asked, { after: null, limit: 50, sort })}`,
      values: asked.values,
    });
    expect(mostRows(analysed[0]["QUERY PLAN"][0].Plan)).toBeLessThanOrEqual(MOST_LOOKED_AT + 1);
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
