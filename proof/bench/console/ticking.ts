// Started by interactions.ts: a worker with many active runs, each of which ends a step per second. Reports what has
// changed by then.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { prepareStart } from "../../../lib/engine/runs/start";
import { defineWorkflow } from "../../../lib/engine/workflows/workflow";
import { insertManyRuns } from "../../../lib/store/runs/start-run";
import { openBench, startWorker } from "../bench";

const [url = "", count = "500"] = process.argv.slice(2);
const RUNS = Number(count);
const STEP_MS = 1_000;
/** New runs, which appear above the others and end after three steps. */
const ARRIVE_EVERY_MS = 1_000;

let ended = 0;
const ticking = defineWorkflow(
  { name: "ticking", input: z.object({ n: z.number(), steps: z.number() }) },
  async (ctx, { n, steps }) => {
    await sleep((n % RUNS) * (STEP_MS / RUNS));
    for (let step = 0; step < steps; step++) {
      await ctx.step(`tick-${step}`, () => sleep(STEP_MS));
      ended++;
    }
  },
);

const bench = openBench(url);
const worker = await startWorker(bench, { workflows: [ticking], concurrency: RUNS + 20, leaseMs: 30_000 });
const start = async (from: number, runs: number, steps: number) => {
  const started = Array.from({ length: runs }, (_, n) => prepareStart(ticking, { n: from + n, steps }));
  await insertManyRuns(bench.db, await Promise.all(started));
  worker.wake();
};
await start(0, RUNS, 1_000);
setInterval(() => void start(0, 1, 3), ARRIVE_EVERY_MS);
process.on("message", () => process.send?.({ at: performance.now(), ended }));
process.on("disconnect", () => process.exit(0));
process.send?.({ at: performance.now(), ended });
