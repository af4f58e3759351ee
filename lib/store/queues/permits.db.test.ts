import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { LimitPlan } from "../../engine/queues/step-limit";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { entriesReadBy } from "../../testing/database/entries-read";
import { anAttempt, aRecord, aStepRecord, claimOne } from "../../testing/rows/claims";
import { anEngine } from "../../testing/workers/engine";
import { recordAlone } from "../steps/record";
import { leaveToOthers } from "../workers/hand-back";
import { callForPermits, deleteUnusedLimits, type PermitAsker, takePermits } from "./permits";

const engine = anEngine();
let limits = 0;
const aLimit = (bounds: Partial<LimitPlan>): LimitPlan => ({
  ...{ name: `limit-${++limits}`, key: "", concurrency: null, rateLimit: null },
  ...bounds,
});

const workflow = defineWorkflow({ name: "asks", input: z.object({}) }, async () => undefined);
async function anAsker() {
  await engine.start(workflow);
  const claim = await claimOne(engine.db, workflow);
  const asker: PermitAsker = { runId: claim.id, epoch: claim.epoch, step: "a-step", generation: 1, attempt: 1 };
  return { claim, asker };
}
const take = (asker: PermitAsker, ...of: LimitPlan[]) => takePermits(engine.db, asker, of);
const taken = { owned: true, dueAt: null, dueInMs: null };
const refused = { owned: true, dueAt: expect.any(String), dueInMs: expect.any(Number) };
const heldOf = async (limit: LimitPlan) =>
  (
    await engine.rows("select from handrail.permit where limit_name = $1 and handrail.permit_is_held(permit)", [
      limit.name,
    ])
  ).length;

it("is taken once, however often the question is sent again, and is counted once", async () => {
  const limit = aLimit({ concurrency: 2, rateLimit: { limit: 2, perMs: 60_000 } });
  const { asker } = await anAsker();
  for (let time = 0; time < 3; time++) expect(await take(asker, limit)).toMatchObject(taken);
  expect(await heldOf(limit)).toBe(1);
  expect(
    await engine.rows("select cardinality(starts) from handrail.step_limit where name = $1", [limit.name]),
  ).toEqual([{ cardinality: 1 }]);
});

it("is never given to more than the limit by many that ask at the same instant", async () => {
  const limit = aLimit({ concurrency: 3 });
  const askers: Awaited<ReturnType<typeof anAsker>>[] = [];
  for (let index = 0; index < 12; index++) askers.push(await anAsker());
  const answers = await Promise.all(askers.map(({ asker }) => take(asker, limit)));
  expect(answers.filter(({ dueAt }) => dueAt === null)).toHaveLength(3);
  expect(await heldOf(limit)).toBe(3);
});

it("of a rate counts what a declaration without one, or with a shorter one, was given, and is not forgotten by it", async () => {
  const limit = aLimit({ rateLimit: { limit: 2, perMs: 60_000 } });
  const without = { ...limit, rateLimit: null, concurrency: 10 };
  const shorter = { ...limit, rateLimit: { limit: 5, perMs: 1 } };
  const of = async (plan: LimitPlan) => take((await anAsker()).asker, plan);
  expect(await of(limit)).toMatchObject(taken);
  expect(await of(without)).toMatchObject(taken);
  expect(await of(limit)).toMatchObject(refused);
  for (const plan of [without, shorter, without]) expect(await of(plan)).toMatchObject(taken);
  const { dueInMs } = await of(limit);
  expect(dueInMs).toBeGreaterThan(50_000);
});

it("of two limits in opposite order, asked for at once, is all or nothing", async () => {
  const [a, b] = [aLimit({ concurrency: 1 }), aLimit({ concurrency: 1 })];
  for (let round = 0; round < 10; round++) {
    const [one, other] = [await anAsker(), await anAsker()];
    const answers = await Promise.all([take(one.asker, a, b), take(other.asker, b, a)]);
    expect(answers.filter(({ dueAt }) => dueAt === null)).toHaveLength(1);
    for (const limit of [a, b]) expect(await heldOf(limit)).toBe(1);
    for (const { claim } of [one, other]) await leaveToOthers(engine.db, claim.id, claim.epoch);
    await engine.rows("delete from handrail.permit_wait");
  }
});

it("is taken by the first of a long line without a look at those behind it", async () => {
  const limit = aLimit({ concurrency: 1 });
  const [holder, first] = [await anAsker(), await anAsker()];
  await take(holder.asker, limit);
  expect(await take(first.asker, limit)).toMatchObject(refused);
  const behind = `insert into handrail.permit_wait (run_id, step, generation, limit_name, limit_key, ticket, due_at)
    select run_id, 'behind-' || n, generation, limit_name, limit_key, ticket + n, due_at
    from handrail.permit_wait, generate_series(1, 5000) as n where limit_name = $1`;
  await engine.rows(behind, [limit.name]);
  await leaveToOthers(engine.db, holder.claim.id, holder.claim.epoch);
  await engine.db.transaction(async (tx) => {
    const taking = async () => expect(await takePermits(tx, first.asker, [limit])).toMatchObject(taken);
    expect(await entriesReadBy(tx, ["permit_wait"], taking)).toBeLessThan(100);
  });
});

describe("is free again", () => {
  it.each(["completed", "failed", "waiting", "unknown"] as const)(
    "with the record of an outcome (%s)",
    async (status) => {
      const limit = aLimit({ concurrency: 1 });
      const [first, second] = [await anAsker(), await anAsker()];
      expect(await take(first.asker, limit)).toMatchObject(taken);
      // A start mark is no outcome.
      await recordAlone(engine.db, [aRecord(first.claim, { step: aStepRecord({ status: "running" }) })]);
      expect(await take(second.asker, limit)).toMatchObject(refused);
      expect(await callForPermits(engine.db, [limit])).toEqual([]);
      const attempt = status === "waiting" && { attempt: anAttempt() };
      await recordAlone(engine.db, [aRecord(first.claim, { step: aStepRecord({ status }), ...attempt })]);
      expect(await callForPermits(engine.db, [limit])).toEqual([second.asker.runId]);
      expect(await take(second.asker, limit)).toMatchObject(taken);
      await engine.rows("update handrail.run set attention = null");
      if (status === "unknown") await engine.rows("delete from handrail.step where run_id = $1", [first.claim.id]);
    },
  );

  it("with the end of the claim, whatever became of the attempt; its owner gets none afterwards", async () => {
    const limit = aLimit({ concurrency: 1 });
    const [first, second] = [await anAsker(), await anAsker()];
    expect(await take(first.asker, limit)).toMatchObject(taken);
    await leaveToOthers(engine.db, first.claim.id, first.claim.epoch);
    expect(await take(first.asker, limit)).toMatchObject({ owned: false });
    expect(await take({ ...first.asker, attempt: 2 }, limit)).toMatchObject({ owned: false });
    expect(await take(second.asker, limit)).toMatchObject(taken);
    expect(await heldOf(limit)).toBe(1);
  });
});

describe("the line", () => {
  it("keeps its order, and a place in it is not lost by asking too early", async () => {
    const limit = aLimit({ concurrency: 1 });
    const [holder, first, second] = [await anAsker(), await anAsker(), await anAsker()];
    await take(holder.asker, limit);
    const soon = await take(first.asker, limit);
    const later = await take(second.asker, limit);
    expect(later.dueInMs).toBeGreaterThan(soon.dueInMs as number);
    await take(first.asker, limit);
    await recordAlone(engine.db, [aRecord(holder.claim, { step: aStepRecord() })]);
    // The free one is for the first in the line, who is called when another one asks.
    expect(await take(second.asker, limit)).toMatchObject({ ...refused, called: [first.asker.runId] });
    expect(await take((await anAsker()).asker, limit)).toMatchObject(refused);
    expect(await take(first.asker, limit)).toMatchObject(taken);
  });

  it("goes on without one that was called and does not come, which is the first again when it does", async () => {
    const limit = aLimit({ concurrency: 1 });
    const [holder, absent, next] = [await anAsker(), await anAsker(), await anAsker()];
    await take(holder.asker, limit);
    await take(absent.asker, limit);
    await take(next.asker, limit);
    await engine.rows("update handrail.permit_wait set due_at = clock_timestamp() - interval '6 s' where run_id = $1", [
      absent.asker.runId,
    ]);
    await recordAlone(engine.db, [aRecord(holder.claim, { step: aStepRecord() })]);
    expect(await callForPermits(engine.db, [limit])).toEqual([next.asker.runId]);
    expect(await take(absent.asker, limit)).toMatchObject(taken);
    expect(await take(next.asker, limit)).toMatchObject(refused);
  });

  it("of one limit is not held up by a waiter that also waits for another one", async () => {
    const [a, b] = [aLimit({ concurrency: 1 }), aLimit({ concurrency: 1 })];
    const [ofA, ofB, both, onlyB] = [await anAsker(), await anAsker(), await anAsker(), await anAsker()];
    await take(ofA.asker, a);
    await take(ofB.asker, b);
    expect(await take(both.asker, a, b)).toMatchObject(refused);
    await recordAlone(engine.db, [aRecord(ofB.claim, { step: aStepRecord() })]);
    expect(await callForPermits(engine.db, [b])).toEqual([both.asker.runId]);
    expect(await take(both.asker, a, b)).toMatchObject(refused);
    expect(await take(onlyB.asker, b)).toMatchObject(taken);
  });

  it("of a rate has an instant for each of its places", async () => {
    const limit = aLimit({ rateLimit: { limit: 2, perMs: 100_000 } });
    for (let place = 0; place < 2; place++) await take((await anAsker()).asker, limit);
    const due: number[] = [];
    for (let place = 0; place < 5; place++) due.push((await take((await anAsker()).asker, limit)).dueInMs as number);
    for (const [place, ms] of due.entries()) {
      expect(ms).toBeGreaterThan(100_000 * (1 + Math.floor(place / 2)) - 20_000);
      expect(ms).toBeLessThanOrEqual(100_000 * (1 + Math.floor(place / 2)));
    }
  });
});

it("limits that nothing asks for are deleted, with their permits; those in use stay", async () => {
  const [old, used, waited] = [aLimit({ concurrency: 1 }), aLimit({ concurrency: 1 }), aLimit({ concurrency: 1 })];
  const [one, other] = [await anAsker(), await anAsker()];
  await take(one.asker, old, waited);
  await take(other.asker, waited);
  await leaveToOthers(engine.db, one.claim.id, one.claim.epoch);
  await take({ ...other.asker, step: "other" }, used);
  await engine.rows("update handrail.step_limit set used_at = clock_timestamp() - interval '3 days'");
  await deleteUnusedLimits(engine.db, 1_000);
  const left = await engine.rows<{ name: string }>("select name from handrail.step_limit where name = any ($1)", [
    [old, used, waited].map(({ name }) => name),
  ]);
  expect(left.map(({ name }) => name).sort()).toEqual([used.name, waited.name].sort());
  expect(await engine.rows("select from handrail.permit where limit_name = $1", [old.name])).toEqual([]);
});
