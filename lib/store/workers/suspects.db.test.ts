import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { prepareStart } from "../../engine/runs/start";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { aRecord, aRegisteredWorker, aStepRecord } from "../../testing/rows/claims";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import type { Db } from "../db";
import { insertManyRuns } from "../runs/start-run";
import { record } from "../steps/record";
import { type ClaimedRun, claimRuns } from "./claim-runs";
import { giveTurns, MAX_LOST_CLAIMS } from "./suspects";
import { takeOverLostRuns } from "./take-over";

const engine = anEngine();
const workflow = defineWorkflow({ name: "lost-together", input: z.object({}) }, async () => undefined);

beforeEach(async () => {
  await engine.rows("truncate handrail.run, handrail.step, handrail.lost_claim, handrail.suspect");
});

const startMany = async (count: number) =>
  insertManyRuns(engine.db, await Promise.all(Array.from({ length: count }, () => prepareStart(workflow, {}))));

/** A new worker claims everything claimable. */
async function claimAll(): Promise<ClaimedRun[]> {
  const { runs } = await claimRuns(engine.db, await aRegisteredWorker(engine.db), [workflow], 200);
  return runs;
}

type Gate = ReturnType<typeof gate<void>>;

/** Longer than any turn on a slow machine. */
const HELD_MS = 60_000;

/** Loses the workers of all claims. Returns how many runs come back at once. */
async function die(): Promise<number> {
  await engine.endLeases();
  await takeOverLostRuns(engine.db);
  await letTimePass(-HELD_MS);
  return readyNow();
}

async function readyNow(): Promise<number> {
  const rows = await engine.rows("select from handrail.run where status = 'pending' and due_at is null");
  return rows.length;
}

/** Ends a step of each run. */
const goOn = (runs: readonly ClaimedRun[]) =>
  record(
    engine.db,
    runs.map((run) => aRecord(run, { step: aStepRecord() })),
  );

const complete = (runs: readonly ClaimedRun[]) =>
  record(
    engine.db,
    runs.map((run) => aRecord(run, { run: { to: "completed", output: "null" } })),
  );

/** Moves the waiting times back, as if so much time had passed. */
const letTimePass = (ms: number) =>
  engine.rows("update handrail.suspect set turn_at = turn_at - $1::float8 * interval '1 ms'", [ms]);

/** Repeats turns until the poisonous run's: its worker dies at once, in all others every run goes on. */
async function untilItKills(poison: string): Promise<void> {
  await until("The turn of the poisonous run", async () => {
    const runs = await claimAll();
    const others = runs.filter(({ id }) => id !== poison);
    if (others.length > 0) await complete(others);
    if (others.length < runs.length) return true;
    await giveTurns(engine.db);
    return false;
  });
}

/** The engine's database with a gate before this statement. */
const heldBefore = (name: string, reached: Gate, mayGoOn: Gate): Db => ({
  ...engine.db,
  query: async (statement, values) => {
    if (statement.name === name) {
      reached.open();
      await mayGoOn.opened;
    }
    return engine.db.query(statement, values);
  },
});

describe("runs that are lost together", () => {
  it("come back in groups of an eighth, each when the last one has continued", async () => {
    await startMany(20);
    await claimAll();
    expect(await die()).toBe(3);
    const first = await claimAll();
    await giveTurns(engine.db);
    expect(await readyNow()).toBe(0);
    await goOn(first.slice(0, 2));
    await giveTurns(engine.db);
    expect(await readyNow()).toBe(2);
  });

  it("do not wait for a group with long bodies", async () => {
    await startMany(20);
    await claimAll();
    await die();
    await claimAll();
    await letTimePass(HELD_MS + 150);
    await giveTurns(engine.db);
    expect(await readyNow()).toBe(3);
  });

  it("are all back soon after one kill, and after a second one, though no body has ended", async () => {
    await startMany(40);
    for (const patienceMs of [150, 600]) {
      await claimAll();
      await die();
      for (let turn = 1; turn < 8; turn++) {
        await claimAll();
        await letTimePass(HELD_MS + patienceMs);
        await giveTurns(engine.db);
      }
      await claimAll();
      expect(await engine.rows("select from handrail.run where status = 'running'")).toHaveLength(40);
    }
  });

  it("come back at once, before suspects that were lost earlier", async () => {
    await startMany(1);
    await claimAll();
    await die();
    await startMany(10);
    await claimAll();
    expect(await die()).toBe(10);
    const beside = await claimAll();
    await giveTurns(engine.db);
    expect(await readyNow()).toBe(0);
    await goOn(beside);
    await giveTurns(engine.db);
    expect(await readyNow()).toBe(1);
  });

  it("may be claimed after a minute, with or without a worker that schedules them", async () => {
    await startMany(20);
    await claimAll();
    await die();
    const [row] = await engine.rows<{ ms: number }>(
      "select max(extract(epoch from due_at - clock_timestamp()) * 1000)::float8 as ms from handrail.run",
    );
    expect(row?.ms).toBeLessThanOrEqual(60_000);
  });
});

describe("a poisonous run", () => {
  it("is found among others within ten losses, and no other run fails", async () => {
    const ids = await startMany(100);
    const poison = ids[42] as string;
    let losses = 0;
    for (; (await engine.historyOf(poison)).run.status !== "failed"; losses++) {
      if (losses === 0) await claimAll();
      else await untilItKills(poison);
      await die();
      await giveTurns(engine.db);
    }
    expect(losses).toBeLessThanOrEqual(10);
    expect((await engine.historyOf(poison)).run).toMatchObject({
      attention: "failed",
      error: { code: "poisonous_run" },
    });
    expect(await engine.rows("select from handrail.run where status = 'failed'")).toHaveLength(1);
  });

  it("is not a run that is lost as often only beside another one", async () => {
    const [suspect] = await startMany(1);
    await claimAll();
    await die();
    const [poison] = await startMany(1);
    for (let losses = 1; losses <= 2 * MAX_LOST_CLAIMS; losses++) {
      await engine.rows("update handrail.run set due_at = null where due_at is not null and status = 'pending'");
      await claimAll();
      await die();
    }
    expect(
      await engine.rows("select id::text, status from handrail.run where id = any ($1::uuid[])", [[suspect, poison]]),
    ).toEqual(expect.arrayContaining([suspect, poison].map((id) => ({ id, status: "pending" }))));
  });

  it("is judged once the runs that were lost with it have continued", async () => {
    const [poison] = await startMany(1);
    await claimAll();
    await die();
    for (let losses = 2; losses <= MAX_LOST_CLAIMS; losses++) {
      const [beside] = await startMany(1);
      await engine.rows("update handrail.run set due_at = null where id = $1", [poison]);
      await claimAll();
      await die();
      expect((await engine.historyOf(poison as string)).run.status).toBe("pending");
      await complete((await claimAll()).filter(({ id }) => id === beside));
    }
    await giveTurns(engine.db);
    expect((await engine.historyOf(poison as string)).run.status).toBe("failed");
  });

  it("gets no further turn from a round that began before its last loss was recorded", async () => {
    const [poison] = await startMany(1);
    for (let losses = 1; losses < MAX_LOST_CLAIMS; losses++) {
      await claimAll();
      await die();
      await engine.rows("update handrail.run set due_at = null");
    }
    await claimAll();
    await engine.endLeases();
    // Two workers at once: one searched for poisonous runs before the other took this one over, and gives turns later.
    const [round, takeOver] = [gate(), gate()];
    const reached = { round: gate(), takeOver: gate() };
    const giving = giveTurns(heldBefore("give-turns", reached.round, round));
    await reached.round.opened;
    const takingOver = takeOverLostRuns(heldBefore("fail-poisonous", reached.takeOver, takeOver));
    await reached.takeOver.opened;
    round.open();
    expect(await giving).toEqual({ back: [], poisonous: [], waiting: true });
    takeOver.open();
    await takingOver;
    expect((await engine.historyOf(poison as string)).run.status).toBe("failed");
  });

  it("is never a run that an operator paused", async () => {
    const [paused] = await startMany(1);
    await claimAll();
    await engine.rows("update handrail.run set pause_requested_at = clock_timestamp() where id = $1", [paused]);
    await die();
    await giveTurns(engine.db);
    expect((await engine.historyOf(paused as string)).run).toMatchObject({ status: "paused", due_at: null });
  });
});
