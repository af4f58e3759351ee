import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { claimOne } from "../../testing/rows/claims";
import { anEngine } from "../../testing/workers/engine";
import { takeOverLostRuns } from "../workers/take-over";
import { lockForEvents } from "./take-events";

const engine = anEngine();

it("a stale claim takes no event, and a fresh one does", async () => {
  const workflow = defineWorkflow({ name: "stale", input: z.unknown() }, async () => undefined);
  const runId = await engine.start(workflow);
  const stale = await claimOne(engine.db, workflow);
  const holds = (epoch: number) => engine.db.transaction((tx) => lockForEvents(tx, runId, epoch, []));
  expect(await holds(stale.epoch)).toBe(true);
  await engine.endLeases();
  await takeOverLostRuns(engine.db);
  expect(await holds(stale.epoch)).toBe(false);
  expect(await holds(stale.epoch + 1)).toBe(false);
  const fresh = await claimOne(engine.db, workflow);
  expect(await holds(fresh.epoch)).toBe(true);
  expect(await holds(stale.epoch)).toBe(false);
});
