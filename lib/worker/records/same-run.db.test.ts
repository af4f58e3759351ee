import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import type { Db } from "../../store/db";
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
