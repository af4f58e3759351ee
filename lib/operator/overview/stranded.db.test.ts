import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { registerWorker, registerWorkflows } from "../../store/workers/workers";
import { rerun } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { anEngine } from "../../testing/workers/engine";
import { readOverview } from "../runs/reads";

const engine = anEngine();
const input = z.object({});
const stranded = async () => (await readOverview(engine.db, { cap: 10_000, demo: false })).stranded;

const workflow = (name: string, version = 1, limited = false) =>
  defineWorkflow({ name, title: `The ${name}`, input, version, ...(limited && { concurrency: { limit: 1 } }) }, (ctx) =>
    ctx.step("only", () => version),
  );

it("the overview counts the runs that no live worker can take, by workflow", async () => {
  const [here, gone, limited] = [workflow("here"), workflow("gone"), workflow("gone-limited", 1, true)];
  await registerWorkflows(engine.db, [here, gone, limited]);
  for (const one of [here, gone, gone, limited]) await engine.start(one);
  await engine.start(gone, {}, { delayMs: 3_600_000 });
  await engine.worker([here]);
  expect(await stranded()).toEqual([
    { workflow: "gone", title: "The gone", version: null, runs: 2 },
    { workflow: "gone-limited", title: "The gone-limited", version: null, runs: 1 },
  ]);
  await engine.worker([gone, limited]);
  expect(await stranded()).toEqual([]);
});

it("and those whose chosen version no live worker has", async () => {
  const [one, two] = [workflow("chosen", 1), workflow("chosen", 2)];
  const runId = await engine.start(one);
  const worker = await engine.worker([one]);
  await engine.untilEnded(runId);
  await worker.stop();
  const versions = { chosen: [2] };
  await registerWorker(engine.db, { name: "gone", workflows: ["chosen"], versions, concurrency: 1, leaseMs: 60_000 });
  await rerun(aDesk(engine.db), { runId, fromStep: "only", version: 2, reason: "the newer one" });
  await engine.endLeases();
  await engine.worker([one]);
  const found = (await stranded()).filter(({ workflow }) => workflow === "chosen");
  expect(found).toEqual([{ workflow: "chosen", title: "chosen", version: 2, runs: 1 }]);
  await engine.worker([one, two]);
  await engine.untilEnded(runId);
  expect((await stranded()).filter(({ workflow }) => workflow === "chosen")).toEqual([]);
});
