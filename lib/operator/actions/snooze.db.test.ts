import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { snoozesOf } from "../../actions/snooze";
import { ATTENTIONS } from "../../engine/runs/run";
import { codeHere } from "../../engine/workflows/workflow-code";
import { type Db, poolDb } from "../../store/db";
import { markCompensated, rerun, snooze } from "../../testing/actions";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { readCompensationCounts, readCompensations } from "../compensations/read-compensations";
import { executePlan } from "../operations/execute-plan";
import { makePlan } from "../operations/make-plan";
import { readOverview, readRun, readRunCounts, readRuns } from "../runs/reads";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query("truncate handrail.run, handrail.compensation, handrail.step cascade"));

const reason = "the provider answers tomorrow";
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const passes = () => database.pool.query("update handrail.snooze set until = clock_timestamp()");

/** The ids that each place shows as needing attention. */
async function places() {
  const overview = await readOverview(db, { cap: 100, demo: false });
  const listed = await readRuns(db, { attention: [...ATTENTIONS] });
  const ofOrder = await readRuns(db, {
    attention: [...ATTENTIONS],
    workflow: ["order-fulfilment"],
    status: ["failed"],
  });
  const counts = await readRunCounts(db, {}, 100);
  const onOneWalk = await readRunCounts(db, { q: "order" }, 100);
  const total = (byAttention: object) =>
    Object.values(byAttention as Record<string, number>).reduce((a, b) => a + b, 0);
  return {
    overview: overview.needsPerson.map(({ id }) => id),
    counted: total(overview.byAttention),
    listed: listed.runs.map(({ id }) => id),
    failed: ofOrder.runs.map(({ id }) => id),
    facets: total(counts.byAttention),
    onOneWalk: total(onOneWalk.byAttention),
  };
}

const NOWHERE = { overview: [], counted: 0, listed: [], failed: [], facets: 0, onOneWalk: 0 };

describe("a snoozed run", () => {
  it("leaves every place that shows what needs attention, and is back when its time has passed", async () => {
    const runId = await aRun(db).failedAt("charge-payment");
    const everywhere = await places();
    expect(everywhere).toMatchObject({ overview: [runId], counted: 1, listed: [runId], failed: [runId], facets: 1 });
    const until = inAnHour();
    const run = await snooze(aDesk(db, { actor: "mia" }), { runId, until, reason });
    expect(await places()).toEqual(NOWHERE);
    expect(run).toMatchObject({
      status: "failed",
      attention: "failed",
      audit: [{ act: "snooze", actor: "mia", reason }],
    });
    expect(snoozesOf(run, Date.now())).toEqual([{ step: null, until, by: "mia" }]);
    expect(snoozesOf(run, Date.parse(until))).toEqual([]);
    expect((await readRuns(db, { status: ["failed"] })).runs).toHaveLength(1);
    await passes();
    expect(await places()).toEqual(everywhere);
  });

  it("without a time is back as soon as it changes, and only then", async () => {
    const runId = await aRun(db).failedAt("charge-payment");
    await snooze(aDesk(db), { runId, reason });
    expect(await places()).toEqual(NOWHERE);
    await rerun(aDesk(db), { runId, reason });
    await database.pool.query(
      `update handrail.run set status = 'failed', attention = 'failed', error = '{}', due_at = null, finished_at = clock_timestamp()
       where id = $1`,
      [runId],
    );
    expect((await places()).overview).toEqual([runId]);
    expect(snoozesOf(await readRun(db, runId), Date.now())).toEqual([]);
  });

  it("is back when it changes at the same moment, whichever comes first", async () => {
    for (let round = 0; round < 10; round++) {
      const runId = await aRun(db).waitingUnknown("charge-payment");
      const change = database.pool.query("update handrail.run set revision = revision + 1 where id = $1", [runId]);
      await Promise.all([snooze(aDesk(db), { runId, reason }), change]);
      const { rows } = await database.pool.query("select seen from handrail.snooze where run_id = $1", [runId]);
      const { revision } = await readRun(db, runId);
      const isBack = (await places()).overview.includes(runId);
      expect(isBack).toBe(rows[0].seen !== String(revision));
    }
  });

  it("can be ended early, once", async () => {
    const runId = await aRun(db).failedAt("charge-payment");
    await snooze(aDesk(db), { runId, until: inAnHour(), reason });
    const run = await snooze(aDesk(db), { runId, until: "now", reason });
    expect(snoozesOf(run, Date.now())).toEqual([]);
    expect((await places()).overview).toEqual([runId]);
    await expect(snooze(aDesk(db), { runId, until: "now", reason })).rejects.toMatchObject({ code: "not_allowed" });
  });

  it("has its compensations covered on the board", async () => {
    const runId = await aRun(db).compensating();
    await snooze(aDesk(db), { runId, reason });
    expect((await readCompensations(db, {})).compensations).toEqual([]);
    expect((await readCompensationCounts(db, {}, 10)).byLane).toMatchObject({ by_hand: 0, owed: 0 });
  });

  it.each([
    ["needs no attention", () => aRun(db).completed(), {}, "not_allowed"],
    ["is paused", () => aRun(db).paused(), {}, "not_allowed"],
    [
      "is snoozed until a time that has passed",
      () => aRun(db).failedAt("charge-payment"),
      { until: "2020-01-01T00:00:00Z" },
      "invalid_request",
    ],
    [
      "is snoozed for longer than 90 days",
      () => aRun(db).failedAt("charge-payment"),
      { until: "2999-01-01T00:00:00Z" },
      "invalid_request",
    ],
    ["has no open compensation", () => aRun(db).failedAt("charge-payment"), { step: "create-order" }, "not_allowed"],
  ])("is refused where it %s", async (_, make, given, code) => {
    const runId = await make();
    await expect(snooze(aDesk(db), { runId, reason, ...given })).rejects.toMatchObject({ code });
  });
});

describe.each([31, 32, 40])("beside %i snoozes of other runs", (others) => {
  it("a snoozed run is in no place, and one that is not is in each", async () => {
    for (let made = 0; made < others; made++) await aRun(db).failedAt("charge-payment");
    await database.pool.query(
      "insert into handrail.snooze (run_id, step, until, seen) select id, '', 'infinity', revision::text from handrail.run",
    );
    const [snoozed, shown] = [await aRun(db).failedAt("charge-payment"), await aRun(db).failedAt("charge-payment")];
    await snooze(aDesk(db), { runId: snoozed, reason });
    const here = [shown];
    expect(await places()).toMatchObject({ overview: here, counted: 1, listed: here, failed: here, facets: 1 });
    await passes();
    expect((await places()).counted).toBe(others + 2);
  });

  it("so is a compensation", async () => {
    for (let made = 0; made < others; made++) await aRun(db).failedAt("charge-payment");
    await database.pool.query(
      "insert into handrail.snooze (run_id, step, until, seen) select id, '', 'infinity', revision::text from handrail.run",
    );
    const runId = await aRun(db).compensating();
    const board = async () => (await readCompensations(db, {})).compensations.map((one) => one.step);
    const whole = await board();
    await snooze(aDesk(db), { runId, step: "send-confirmation", reason });
    expect(await board()).toEqual(whole.filter((step) => step !== "send-confirmation"));
  });
});

describe("a snoozed compensation", () => {
  const step = "send-confirmation";
  const onBoard = async () => (await readCompensations(db, {})).compensations.map((one) => one.step);

  it("leaves the board alone, and is back when its attempt or its status changes", async () => {
    const runId = await aRun(db).compensating();
    const run = await snooze(aDesk(db), { runId, step, until: inAnHour(), reason });
    expect(await onBoard()).toEqual(["create-order", "charge-payment"]);
    expect(snoozesOf(run, Date.now())).toMatchObject([{ step }]);
    expect((await readOverview(db, { cap: 100, demo: false })).needsPerson).toHaveLength(1);
    await database.pool.query("update handrail.compensation set attempt = attempt + 1 where run_id = $1", [runId]);
    expect(await onBoard()).toContain(step);
    await snooze(aDesk(db), { runId, step, reason });
    expect(await onBoard()).not.toContain(step);
    const done = await markCompensated(aDesk(db), { runId, step, outcome: "compensated", note: "by hand" });
    expect(snoozesOf(done, Date.now())).toEqual([]);
    expect((await readCompensations(db, { lane: "settled" })).compensations).toHaveLength(1);
  });
});

it("many are snoozed by one plan, which leaves out those that need no attention", async () => {
  const failed = [await aRun(db).failedAt("charge-payment"), await aRun(db).failedAt("charge-payment")];
  const desk = aDesk(db);
  const act = { act: "snooze", params: { until: inAnHour() } } as const;
  const plan = await makePlan(desk, act, { runIds: [...failed, await aRun(db).completed()] });
  expect(plan.counts).toMatchObject({ runs: 3, included: 2, leftOut: [{ name: "This run needs no attention." }] });
  const one = await makePlan(desk, act, { runIds: [failed[0] as string] });
  await executePlan(desk, codeHere([]), { planId: one.id, hash: one.hash, reason });
  expect((await places()).overview).toEqual([failed[1]]);
  const late = { act: "snooze", params: { until: "2020-01-01T00:00:00Z" } } as const;
  await expect(makePlan(desk, late, { runIds: failed })).rejects.toMatchObject({ code: "invalid_request" });
});
