import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { findLogPlaces, walking, walkText } from "../../store/logs/log-search";
import { LINES_PER_BLOCK } from "../../store/logs/log-words";
import { Parameters } from "../../store/reads/run-filter";
import { anEngine } from "../../testing/workers/engine";
import { foldAllLogs, foldLogs } from "../../worker/duties/fold-logs";
import { setFaultHandler } from "../../worker/fault-points";
import { searchLogs } from "./search-logs";

const engine = anEngine();
const input = z.object({ card: z.string().optional() });
const open = defineWorkflow({ name: "open", input }, async () => undefined);
const masking = defineWorkflow({ name: "masking", input, masked: ["card"] }, async () => undefined);
const LINES = 5_000;
let [runId, maskedId] = ["", ""];

/** One after the other, as flushes write them: `message` is SQL of `n`. */
const lines = (id: string, from: number, to: number, message: string) =>
  engine.rows(
    `insert into handrail.log (run_id, key, during, step, attempt, message, data, level, at)
     select $1, $2 || n, 'body', case when n % 10 = 0 then 'rare_step' else 'charge' end, 1, ${message}, '{"n":' || n || ',"order":"ord_' || n || 'x"}',
       case when n % 100 = 0 then 'error' when n % 10 = 0 then 'warn' else 'info' end, timestamptz '2026-01-01' + n * interval '1 second'
     from generate_series($3::int, $4::int) as n order by n`,
    [id, `${from}-`, from, to],
  );
const foldNow = () => foldAllLogs(engine.db, () => false);
const blocks = async () => (await engine.rows("select from handrail.log_block")).length;
type Search = globalThis.Parameters<typeof searchLogs>[1];
const found = async (search: Search) =>
  (await searchLogs(engine.db, { budgetMs: 10_000, limit: 200, ...search })).lines.map(
    ({ data }) => (data as { n: number }).n,
  );

beforeAll(async () => {
  const worker = await engine.worker([open, masking]);
  runId = await engine.start(open);
  maskedId = await engine.start(masking, { card: "4242secret" });
  for (const id of [runId, maskedId]) await engine.untilEnded(id);
  await worker.stop();
  await lines(runId, 1, LINES, "'Charged Customer cus-' || n || ' \"in full\"'");
  await lines(maskedId, 6_001, 6_002, "'paid with 4242secret by tango'");
});

it("a search from a time on goes past lines that have the letters, and not the word", async () => {
  const said = (key: string, message: string, at: string) =>
    engine.rows(
      "insert into handrail.log (run_id, key, during, message, data, at) values ($1, $2, 'code', $3, '{}', $4)",
      [runId, key, message, at],
    );
  await said("long-before", "quiet", "2027-01-01T00:00:00Z");
  await said("the-word", "art one", "2027-01-01T01:00:00Z");
  for (const n of [2, 3]) await said(`letters-${n}`, "restart", `2027-01-01T01:00:0${n}Z`);
  const search = { q: "art", after: "2027-01-01T00:30:00Z", limit: 2, budgetMs: 10_000 };
  const { lines } = await searchLogs(engine.db, search);
  expect(lines.map(({ message }) => message)).toEqual(["art one"]);
  await engine.rows("delete from handrail.log where at >= '2027-01-01'");
});

describe("a search over all runs", () => {
  it.each([["before the lines are indexed"], ["after"]])(
    "finds words, phrases, beginnings and values in data, %s",
    async (when) => {
      if (when === "after") {
        await foldNow();
        expect(await blocks()).toBe(Math.floor(LINES / LINES_PER_BLOCK));
      }
      expect(await found({ q: "charged CUS-4321" })).toEqual([4_321]);
      expect(await found({ q: "ord_77x" })).toEqual([77]);
      expect(await found({ q: '"customer cus 499"' })).toEqual([
        4_999, 4_998, 4_997, 4_996, 4_995, 4_994, 4_993, 4_992, 4_991, 4_990, 499,
      ]);
      expect(await found({ q: '"in full order"' })).toEqual([]);
      expect(await found({ q: "harged" })).toEqual([]);
      expect(await found({ q: "12x" })).toEqual([12]);
      expect(await found({ q: "nowhere" })).toEqual([]);
    },
  );

  it("filters by level and those above it, step, workflow and time", async () => {
    expect(await found({ level: "error", after: "2026-01-01T01:20:00Z" })).toEqual([5_000, 4_900, 4_800]);
    expect(await found({ level: "warn", q: "cus-4990" })).toEqual([4_990]);
    expect(await found({ step: "rare_step", before: "2026-01-01T00:00:21Z" })).toEqual([20, 10]);
    expect(await found({ workflow: ["masking"] })).toEqual([6_002, 6_001]);
    expect(await found({ workflow: ["other"] })).toEqual([]);
  });

  it("pages without a gap or a repetition while lines are written, and says how far it came", async () => {
    const seen: number[] = [];
    const stops: (string | null)[] = [];
    let next = 7_000;
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor; pages++) {
      const page = await searchLogs(engine.db, { q: "rare", workflow: ["open"], cursor, limit: 200, budgetMs: 0 });
      seen.push(...page.lines.map(({ data }) => (data as { n: number }).n));
      stops.push(page.lookedBackTo);
      cursor = page.nextCursor ?? undefined;
      await lines(maskedId, next, next++, "'rare and new'");
    }
    expect(seen).toEqual(Array.from({ length: LINES / 10 }, (_, index) => LINES - index * 10));
    expect(stops.some((stop) => stop !== null)).toBe(true);
    expect(stops.at(-1)).toBeNull();
  });

  it("is read through the indexes, a bounded number of lines", async () => {
    const places = await findLogPlaces(engine.db, { terms: ["cus 4321"], blind: false }, null);
    expect(places.ranges.length).toBeLessThanOrEqual(3);
    const parameters = new Parameters();
    const text = walkText({ terms: ["cus"], blind: false }, places.ranges, { most: 500, limit: 10 }, parameters);
    const rows = await walking(engine.db, (tx) =>
      tx.query<{ "QUERY PLAN": string }>({ name: "", text: `explain ${text}` }, parameters.values),
    );
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/Index Scan Backward using log_by_id/);
    expect(plan).not.toMatch(/Seq Scan on log\b/);
  });

  it("refuses a text without a word, what is no time, and a foreign cursor", async () => {
    for (const search of [{ q: "--- !" }, { after: "soon" }, { cursor: "x" }])
      await expect(searchLogs(engine.db, search)).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("for callers who may not see masked values", () => {
  it("lines of workflows that mask something are not searched by their words, and the answer says so", async () => {
    expect(await found({ q: "tango" })).toEqual([6_002, 6_001]);
    for (const q of ["tango", "4242secret"]) {
      const { lines, leavesOutMasked } = await searchLogs(engine.db, { q, blind: true });
      expect({ lines, leavesOutMasked }).toEqual({ lines: [], leavesOutMasked: true });
    }
    expect(await found({ q: "cus-4321", blind: true })).toEqual([4_321]);
    expect((await found({ workflow: ["masking"], blind: true })).length).toBeGreaterThan(1);
  });

  it("the words of such lines are not in the index that they search", async () => {
    await lines(maskedId, 8_001, 8_001 + 2 * LINES_PER_BLOCK, "'zulu'");
    await foldNow();
    const ranges = async (blind: boolean) =>
      (await findLogPlaces(engine.db, { terms: ["zulu"], blind }, null)).ranges.length;
    expect(await ranges(true)).toBe(1);
    expect(await ranges(false)).toBeGreaterThan(1);
  });

  it("a value that is masked by its name everywhere is not found in an open workflow", async () => {
    const [line] = await engine.rows<{ id: number }>(
      `insert into handrail.log (run_id, key, during, message, data, at) values ($1, 'pw', 'code', 'signed in', '{"password":"quebec99","n":1}', clock_timestamp()) returning id`,
      [runId],
    );
    expect(line).toBeDefined();
    expect(await found({ q: "quebec99" })).toEqual([1]);
    expect(await found({ q: "quebec99", blind: true })).toEqual([]);
    expect((await found({ q: '"signed in"', blind: true })).length).toBe(1);
  });
});

describe("the index of words", () => {
  it("leaves lines of an open transaction to the next fold", async () => {
    await foldNow();
    const before = await blocks();
    const client = await engine.database.pool.connect();
    try {
      await client.query("begin");
      await client.query(
        "insert into handrail.log (run_id, key, during, message, data, at) values ($1, 'late', 'code', 'whisky', '{\"n\":2}', now())",
        [runId],
      );
      await lines(runId, 20_001, 20_000 + 2 * LINES_PER_BLOCK, "'later'");
      await foldNow();
      await foldNow();
      expect(await blocks()).toBe(before);
      await client.query("commit");
    } finally {
      client.release();
    }
    for (let round = 0; round < 2; round++) await foldNow();
    expect(await blocks()).toBeGreaterThan(before);
    expect(await found({ q: "whisky" })).toEqual([2]);
  });

  it.each(["logs:before-commit", "logs:after-commit"] as const)("is whole after a death %s", async (at) => {
    await lines(runId, 30_001, 30_000 + 2 * LINES_PER_BLOCK, `'${at.replace(/\W/g, "")}'`);
    setFaultHandler((point) => {
      if (point === at) throw new Error("died");
    });
    await expect(foldLogs(engine.db)).rejects.toThrow("died");
    setFaultHandler(undefined);
    await foldNow();
    expect((await found({ q: at.replace(/\W/g, "") })).length).toBe(200);
    const [twice] = await engine.rows("select block from handrail.log_block group by block, part having count(*) > 1");
    expect(twice).toBeUndefined();
    await engine.rows("delete from handrail.log where key like '30001-%'");
  });

  it("forgets the words of deleted lines", async () => {
    await lines(runId, 40_001, 40_000 + 3 * LINES_PER_BLOCK, "'xray'");
    await foldNow();
    const withWord = async () =>
      (await engine.rows("select from handrail.log_block where words @@ '''txray'''::tsquery")).length;
    expect(await withWord()).toBeGreaterThan(1);
    await engine.rows("delete from handrail.log where message = 'xray' and id % 2 = 0");
    await foldNow();
    expect(await withWord()).toBeGreaterThan(1);
    await engine.rows("delete from handrail.log where message = 'xray'");
    await foldNow();
    expect(await withWord()).toBe(0);
    expect(await engine.rows("select from handrail.log_gone")).toEqual([]);
  });

  it("takes texts that are too long for one entry of it", async () => {
    await engine.rows(
      `insert into handrail.log (run_id, key, during, message, data, at)
       select $1, 'long' || n, 'code', (select string_agg(md5(n || '-' || m), ' ') from generate_series(1, 60) as m), '{"n":' || n || '}', clock_timestamp()
       from generate_series(1, ${2 * LINES_PER_BLOCK}) as n`,
      [runId],
    );
    await foldNow();
    const [word] = await engine.rows<{ word: string }>("select md5('700-33') as word");
    expect(await found({ q: word?.word ?? "" })).toEqual([700]);
    expect((await engine.rows("select from handrail.log_block where part > 0")).length).toBeGreaterThan(0);
  });
});
