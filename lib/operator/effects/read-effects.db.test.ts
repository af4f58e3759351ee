import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EffectVerdict } from "../../engine/steps/effect-verdict";
import { type Db, poolDb } from "../../store/db";
import { effectsStatement, lossesStatement } from "../../store/reads/effects";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { at, type GivenHistory, type GivenLane, storeHistory } from "../../testing/rows/effect-rows";
import { readEffects, readRunEffects } from "./read-effects";
import { sourceOfRuns, walkEffects } from "./walk-effects";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
});
afterAll(() => database.drop());

const set = (lane: GivenLane): GivenLane => ({ ...lane, supersededBy: 2 });

type Case = [story: string, verdict: EffectVerdict, history: GivenHistory, expected?: object];

const CASES: Case[] = [
  [
    "kept at the first attempt",
    "once",
    { lanes: [{ status: "completed", reference: "ch_1" }] },
    {
      outcome: "kept",
      keyUse: "one_attempt",
      reference: "ch_1",
      attemptCount: 1,
      startedAt: at(10),
      finishedAt: at(12),
    },
  ],
  [
    "certainly failed, then kept",
    "once",
    { lanes: [{ status: "completed", attempt: 2, attemptRows: [[1, "failed", 5]] }] },
    { keyUse: "same_again", attemptCount: 2, startedAt: at(5) },
  ],
  [
    "an answer was lost, then kept with the same key",
    "same_key",
    { lanes: [{ status: "completed", attempt: 2, attemptRows: [[1, "unknown", 5]] }] },
    { outcome: "kept", keyUse: "same_again" },
  ],
  [
    "handed back under its body, then kept",
    "same_key",
    { lanes: [{ status: "completed", attempt: 2, attemptRows: [[1, "interrupted", 5]] }] },
  ],
  ["failed, retries exhausted", "never", { status: "failed", lanes: [{ status: "failed" }] }, { outcome: "failed" }],
  [
    "a definite no after a lost answer",
    "never",
    { status: "failed", lanes: [{ status: "failed", attempt: 2, attemptRows: [[1, "unknown", 5]] }] },
  ],
  [
    "rerun with the same key after it had failed",
    "once",
    { lanes: [set({ status: "failed" }), { generation: 2, status: "completed" }] },
    { keyUse: "same_again", attemptCount: 2 },
  ],
  [
    "rerun with the same key after it was kept",
    "same_key",
    { lanes: [set({ status: "completed" }), { generation: 2, status: "completed" }] },
  ],
  [
    "rerun with a fresh key after it was kept",
    "maybe_twice",
    { lanes: [set({ status: "completed" }), { generation: 2, key: 2, status: "completed" }] },
    { keyUse: "fresh", generations: [{ generation: 1 }, { generation: 2 }] },
  ],
  [
    "rerun with a fresh key after it had certainly failed",
    "once",
    { lanes: [set({ status: "failed" }), { generation: 2, key: 2, status: "completed" }] },
    { keyUse: "fresh" },
  ],
  [
    "the answer of a step without a key was lost",
    "unknown",
    { status: "cancelled", lanes: [{ effect: "once", status: "unknown" }] },
    { outcome: "unknown", attemptCount: 1 },
  ],
  [
    "a step without a key was kept and rerun",
    "maybe_twice",
    { lanes: [set({ effect: "once", status: "completed" }), { generation: 2, effect: "once", status: "completed" }] },
  ],
  [
    "a person confirmed that it happened",
    "vouched",
    { lanes: [{ effect: "once", status: "completed", attemptRows: [[1, "unknown", 10]] }] },
    { outcome: "supplied", attemptCount: 1 },
  ],
  [
    "a person recorded that it did not happen, then kept",
    "vouched",
    { lanes: [{ effect: "once", status: "completed", attempt: 2, attemptRows: [[1, "unknown", 5]] }] },
    { outcome: "kept" },
  ],
  [
    "a person skipped it while its outcome was unknown",
    "unknown",
    { lanes: [{ effect: "once", status: "skipped", attemptRows: [[1, "unknown", 10]] }] },
    { outcome: "skipped" },
  ],
  [
    "a person supplied its output after it had failed",
    "vouched",
    { lanes: [set({ status: "failed" }), { generation: 2, status: "completed", attempt: 0 }] },
    { outcome: "supplied", attemptCount: 1 },
  ],
  [
    "waits to be tried again",
    "under_way",
    { status: "waiting", lanes: [{ status: "waiting", attemptRows: [[1, "unknown", 5]] }] },
  ],
  ["a rerun has not reached it yet", "under_way", { status: "pending", lanes: [set({ status: "failed" })] }],
  [
    "cancelled before it was tried again",
    "unknown",
    { status: "cancelled", lanes: [{ status: "waiting", attemptRows: [[1, "unknown", 5]] }] },
  ],
  [
    "rows of the app's own database",
    "once",
    { lanes: [{ kind: "transaction", status: "completed", attempt: 2, attemptRows: [[2, "failed", 5]] }] },
  ],
  [
    "rows of the app's own database, written by a rerun again",
    "maybe_twice",
    {
      lanes: [
        set({ kind: "transaction", status: "completed" }),
        { kind: "transaction", generation: 2, status: "completed" },
      ],
    },
  ],
  [
    "its worker was lost just before, and may have begun it",
    "same_key",
    { lanes: [{ status: "completed", from: 20 }], lostAt: 15 },
    { mayHaveBegunUnseen: true },
  ],
  [
    "certainly failed after its worker was lost, which may have begun it",
    "unknown",
    { status: "failed", lanes: [{ status: "failed", from: 20 }], lostAt: 15 },
  ],
  ["compensated", "once", { lanes: [{ status: "completed", undo: "completed" }] }, { compensation: "completed" }],
];

describe("a run's ledger", () => {
  it.each(CASES)("%s: %s", async (_, verdict, history, expected = {}) => {
    const runId = await storeHistory(db, history);
    const { effects, nextCursor, tally } = await readRunEffects(db, runId, {});
    expect(effects).toMatchObject([{ runId, step: "charge", verdict, ...expected }]);
    expect(nextCursor).toBeNull();
    expect(tally).toMatchObject({ verdict, total: 1, capped: false });
  });

  it("blames a lost worker only for the steps that the next claim reached first", async () => {
    const lanes: GivenLane[] = [
      { step: "before", status: "completed", from: 1 },
      { step: "first", status: "completed", from: 20 },
      { step: "beside", status: "completed", from: 21 },
      { step: "after", status: "completed", from: 30 },
    ];
    const { effects } = await readRunEffects(db, await storeHistory(db, { lanes, lostAt: 15 }), {});
    expect(effects.map(({ step, verdict }) => [step, verdict])).toEqual([
      ["before", "once"],
      ["first", "same_key"],
      ["beside", "same_key"],
      ["after", "once"],
    ]);
  });

  it("does not vouch for a run that was cancelled behind a lost worker, whatever its lines say", async () => {
    const lanes: GivenLane[] = [{ step: "before", status: "completed", from: 1 }];
    const cancelled = await storeHistory(db, { status: "cancelled", lanes, lostAt: 15 });
    expect(await readRunEffects(db, cancelled, {})).toMatchObject({
      effects: [{ verdict: "once" }],
      tally: { verdict: "unknown", lostAtEnd: true },
    });
    const completed = await storeHistory(db, { lanes, lostAt: 15 });
    expect((await readRunEffects(db, completed, {})).tally).toMatchObject({ verdict: "once", lostAtEnd: false });
  });

  it("leaves out steps without external effects, and says so of a run that has nothing else", async () => {
    const runId = await storeHistory(db, { lanes: [{ effect: "pure", status: "completed" }] });
    expect(await readRunEffects(db, runId, {})).toMatchObject({ effects: [], tally: { verdict: null, total: 0 } });
    await expect(readRunEffects(db, uuidv7(), {})).rejects.toMatchObject({ code: "unknown_run" });
  });

  it("pages through 10,000 steps, each once, in order", async () => {
    const runId = await storeHistory(db, { lanes: [] });
    await database.pool.query(
      `insert into handrail.step (run_id, name, generation, kind, effect, status, position, finished_position, attempt, max_attempts,
         key_generation, output, started_at, finished_at)
       select $1, 'charge-' || n, 1, 'step', 'idempotent', 'completed', n, n, 1, 4, 1, 'null', clock_timestamp(), clock_timestamp()
       from generate_series(1, 10000) as n`,
      [runId],
    );
    const positions: number[] = [];
    for await (const { effects } of walkEffects(db, sourceOfRuns([runId]), {}))
      positions.push(...effects.map(({ position }) => position));
    expect(positions).toEqual(Array.from({ length: 10_000 }, (_, index) => index + 1));
    const first = await readRunEffects(db, runId, { limit: 30 });
    expect(first.tally).toMatchObject({ verdict: "once", total: 10_000, capped: false });
    const second = await readRunEffects(db, runId, { limit: 30, cursor: first.nextCursor as string });
    expect(second.effects[0]).toMatchObject({ position: 31 });
    expect(second.tally).toBeNull();
  });
});

describe("the ledger of many runs", () => {
  const workflow = "charged";
  beforeAll(async () => {
    for (const n of Array.from({ length: 120 }).keys())
      await storeHistory(db, {
        workflow,
        lanes: [
          {
            step: "charge",
            status: "completed",
            from: n * 10,
            ...(n === 7 && { attempt: 2, attemptRows: [[1, "unknown", n * 10 - 3]] }),
          },
          { step: "mail", effect: "once", status: "completed", from: n * 10 + 3 },
        ],
      });
  });
  const all = async (filter: Parameters<typeof readEffects>[1]) => {
    const found = [];
    for (let cursor: string | undefined; ; ) {
      const page = await readEffects(db, { ...filter, limit: 7, cursor });
      found.push(...page.effects);
      if (page.nextCursor === null) return found;
      cursor = page.nextCursor;
    }
  };

  it("lists every effect once, newest run first", async () => {
    const found = await all({ workflow: [workflow] });
    expect(new Set(found.map(({ runId, step }) => `${runId} ${step}`)).size).toBe(240);
    expect(found.map(({ runId }) => runId)).toEqual(
      found
        .map(({ runId }) => runId)
        .sort()
        .reverse(),
    );
  });

  it("finds what was under way in a window, by step and by verdict", async () => {
    const window = await all({ workflow: [workflow], step: "charge", since: at(50), until: at(80) });
    expect(window.map(({ startedAt }) => startedAt)).toEqual([at(67), at(60), at(50)]);
    const rare = await all({ workflow: [workflow], verdict: ["same_key"] });
    expect(rare).toMatchObject([{ step: "charge", keyUse: "same_again" }]);
    expect(await all({ workflow: [workflow], until: at(0) })).toEqual([]);
  });

  const explain = async (text: string, values: unknown[]) => {
    const client = await database.pool.connect();
    try {
      // Test tables are small enough for a sequential scan; without it, the plan shows whether an index could be used.
      await client.query("begin; set local enable_seqscan = off");
      const { rows } = await client.query({ text: `explain ${text}`, values });
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    } finally {
      await client.query("rollback");
      client.release();
    }
  };

  it("refuses a foreign cursor", async () => {
    await expect(readEffects(db, { cursor: "bm9uZQ" })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("never reads a table from end to end", async () => {
    await database.pool.query(
      "analyze handrail.run, handrail.step, handrail.attempt, handrail.compensation, handrail.lost_claim",
    );
    const ids = [uuidv7(), uuidv7()];
    const plans = await Promise.all([
      explain(effectsStatement.text, [ids, "charge", 0, "", at(0), at(9), 200]),
      explain(effectsStatement.text, [ids, null, 0, "", null, null, 200]),
      explain(lossesStatement.text, [ids]),
    ]);
    for (const plan of plans) {
      expect(plan).toContain("step_pkey");
      expect(plan).not.toContain("Seq Scan");
    }
  });
});
