import { setTimeout as delay } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import type { Db } from "../../store/db";
import { claimRuns } from "../../store/workers/claim-runs";
import { aRegisteredWorker } from "../../testing/rows/claims";
import { startUntold } from "../../testing/workers/a-worker";
import { anEngine } from "../../testing/workers/engine";
import { Claimer } from "./claimer";

const engine = anEngine();

it("a backlog of the worker's own version does not keep it from runs of a version that no live worker has", async () => {
  const of = (version: number) => defineWorkflow({ name: "vacant", version, input: z.object({}) }, async () => version);
  const [old, own] = [of(1), of(2)];
  for (let n = 0; n < 60; n++) await engine.start(own);
  const workerId = await aRegisteredWorker(engine.db);
  const claimer = new Claimer(engine.db, workerId, [own], 60_000, () => []);
  expect((await claimer.claim(1)).runs).toHaveLength(1);
  const id = await engine.start(old, {}, { priority: 10 });
  let claims = 0;
  for (let found = false; !found && claims < 59; claims++) {
    await delay(50);
    found = (await claimer.claim(1)).runs.some((run) => run.id === id);
  }
  // It looks for such runs every second.
  expect(claims).toBeLessThan(50);
});

it("a claim whose answer was lost, and which commits after the next one, is handed back by the first claim that it cannot outlast", async () => {
  const workflow = defineWorkflow({ name: "lost-and-late", input: z.object({}) }, async () => undefined);
  const workerId = await aRegisteredWorker(engine.db);
  let isLost = true;
  const db: Db = {
    ...engine.db,
    query: (statement, values) =>
      isLost && statement.name.startsWith("claim-")
        ? Promise.reject(new Error("Connection terminated"))
        : engine.db.query(statement, values),
  };
  const claimer = new Claimer(db, workerId, [workflow], 0, () => []);
  await expect(claimer.claim(1)).rejects.toThrow("Connection terminated");
  isLost = false;
  expect((await claimer.claim(1)).runs).toEqual([]);
  const runId = await startUntold(engine.db, workflow);
  expect((await claimRuns(engine.db, workerId, [workflow], 1)).runs).toHaveLength(1);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 60_050);
  try {
    const { runs } = await claimer.claim(1);
    expect(runs.map(({ id }) => id)).toEqual([runId]);
    expect(claimer.isInDoubt).toBe(false);
  } finally {
    vi.restoreAllMocks();
  }
});

it("a worker with room does not ask again when a run ends", async () => {
  const workflow = defineWorkflow({ name: "asked-once", input: z.object({}) }, (ctx) => ctx.step("one", () => 1));
  const { worker } = await engine.worker([workflow]);
  for (let n = 0; n < 20; n++) {
    const runId = await startUntold(engine.db, workflow);
    worker.wake();
    await engine.untilEnded(runId);
  }
  // A few at its start, and when it glances just then. It was one for each run.
  expect(worker.tally.polls).toMatchObject({ claimed: 20 });
  expect(worker.tally.polls.empty).toBeLessThan(10);
});
