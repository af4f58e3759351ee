import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../engine/workflow";
import { claimOne } from "../testing/claims";
import { anEngine } from "../testing/engine";
import { lockForEvents } from "./take-events";
import { takeOverLostRuns } from "./take-over";

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
