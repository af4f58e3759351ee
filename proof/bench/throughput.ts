import { prepareStart } from "../../lib/engine/runs/start";
import { insertManyRuns } from "../../lib/store/runs/start-run";
import { type Bench, startWorker, untilDone } from "./bench";
import { atLeast, atMost, type Figure, perSecond } from "./figure";
import { type Cost, costSoFar, difference } from "./server-cost";
import { threeSteps } from "./workflows";

const RUNS = 5_000;
const STEPS = RUNS * 3;

/** 5,000 queued runs of 3 steps, one worker, to all durably complete; and what a step costs meanwhile. */
export async function throughput(bench: Bench): Promise<Figure[]> {
  await drain(bench, 400, 2_000);
  const { perSecond: rate, cost } = await drain(bench, 400, RUNS);
  const sixteen = await drain(bench, 16, RUNS);
  return [
    {
      measure: "5,000 runs of 3 steps, one worker, steps per B50 insert",
      measured: perSecond(rate),
      value: rate / bench.b50,
      target: atLeast(1.5),
    },
    {
      measure: "the same with 16 runs at a time",
      measured: perSecond(sixteen.perSecond),
      value: sixteen.perSecond / bench.b50,
      target: atLeast(0.45),
    },
    {
      measure: "processor time, worker and server, per step",
      measured: `${(cost.cpuMs / STEPS).toFixed(4)} ms`,
      value: cost.cpuMs / STEPS,
      target: atMost(0.06),
    },
    {
      measure: "statements per step",
      measured: (cost.statements / STEPS).toFixed(4),
      value: cost.statements / STEPS,
      target: atMost(0.05),
    },
    {
      measure: "commits per step",
      measured: (cost.commits / STEPS).toFixed(4),
      value: cost.commits / STEPS,
      target: atMost(0.03),
    },
    {
      measure: "WAL per step",
      measured: `${Math.round(cost.walBytes / STEPS)} bytes`,
      value: cost.walBytes / STEPS,
      target: atMost(600),
    },
  ];
}

/** So many queued runs, to the last of them done. */
export async function drain(
  bench: Bench,
  concurrency: number,
  runs: number,
): Promise<{ perSecond: number; cost: Cost }> {
  await insertManyRuns(
    bench.db,
    await Promise.all(Array.from({ length: runs }, (_, n) => prepareStart(threeSteps, { n }))),
  );
  const before = await costSoFar(bench.pool);
  const since = performance.now();
  const worker = await startWorker(bench, { workflows: [threeSteps], concurrency });
  await untilDone(bench, threeSteps.name);
  const seconds = (performance.now() - since) / 1_000;
  const cost = difference(before, await costSoFar(bench.pool));
  await worker.stop();
  return { perSecond: (runs * 3) / seconds, cost };
}
