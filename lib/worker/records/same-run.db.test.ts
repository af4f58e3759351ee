import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import type { Db } from "../../store/db";
import { record } from "../../store/steps/record";
import type { ClaimRecord } from "../../store/workers/claim-record";
import { aStepRecord, claimOne } from "../../testing/rows/claims";
import { anEngine } from "../../testing/workers/engine";
import { WriteBuffer } from "./write-buffer";

const engine = anEngine();

/** Each statement keeps its locks for a while after its answer is known, as a slow commit does. */
const slowToCommit = (db: Db): Db => ({
  ...db,
  query: (statement, values) =>
    db.transaction(async (tx) => {
      const rows = await tx.query<never>(statement, values);
      await tx.query({ name: "", text: "select pg_sleep(0.2)" }, []);
      return rows;
    }),
});

it.each([2, 3])("%i simultaneous records of one run are all kept before their promises resolve", async (count) => {
  const workflow = defineWorkflow({ name: `same-run-${count}`, input: z.object({}) }, async () => undefined);
  const runId = await engine.start(workflow);
  const { epoch } = await claimOne(engine.db, workflow);
  const buffer = new WriteBuffer(slowToCommit(engine.db));
  const names = ["a", "b", "c"].slice(0, count);
  await Promise.all(
    names.map((name, index) => {
      const position = index + 1;
      return buffer.keep({ runId, epoch, step: aStepRecord({ name, position, finishedPosition: position }) });
    }),
  );
  expect((await engine.historyOf(runId)).steps).toMatchObject(names.map((name) => ({ name, status: "completed" })));
});

/** A claim by another worker locks a run before it sees that the run is taken, and lets it go when its statement ends. */
it("records of one run are kept together or not at all, also when a lock is let go between two of them", async () => {
  const workflow = defineWorkflow({ name: "locked-for-moments", input: z.object({}) }, async () => undefined);
  const runId = await engine.start(workflow);
  const { epoch } = await claimOne(engine.db, workflow);
  const other = await engine.start(workflow);
  await claimOne(engine.db, workflow);
  const given = (id: string, position: number): ClaimRecord => ({
    ...{ runId: id, epoch },
    step: aStepRecord({ name: `step-${position}`, position, finishedPosition: position }),
  });
  let over = false;
  const claimant = async () => {
    while (!over) {
      await engine.db.transaction((tx) => tx.query({ name: "", text: LOCK }, [runId]));
      await delay(2);
    }
  };
  const claimants = [claimant(), claimant()];
  const others = Array.from({ length: BETWEEN }, (_, n) => given(other, n + 1));
  const answered: number[] = [];
  for (let flush = 0; flush < FLUSHES; flush++) {
    const [first, second] = [given(runId, 2 * flush + 1), given(runId, 2 * flush + 2)];
    if ((await record(engine.db, [first, ...others, second])).has(runId)) answered.push(2 * flush + 1, 2 * flush + 2);
  }
  over = true;
  await Promise.all(claimants);
  expect((await engine.historyOf(runId)).steps.map(({ position }) => position)).toEqual(answered);
  expect(answered.length).toBeGreaterThan(0);
});

const LOCK = "select from handrail.run where id = $1 for no key update";
const FLUSHES = 60;
/** Records of another run between two of one. */
const BETWEEN = 1_000;
