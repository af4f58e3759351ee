import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { prepareStart } from "../../../lib/engine/runs/start";
import { insertManyRuns } from "../../../lib/store/runs/start-run";
import { RetentionWalk } from "../../../lib/worker/duties/retention";
import type { Bench } from "../bench";
import type { ChildWorker } from "../child-process";
import { median } from "../figure";
import { secondsToDrain } from "../machines";
import { costSoFar, difference, processCpuMs } from "../server-cost";
import { emptyRuns } from "../space";
import { sizedSteps } from "../workflows";
import type { Inputs, Shape } from "./model";

/** One drain, a step of it. */
export interface Measured {
  stepsPerSecond: number;
  workerUs: number;
  serverUs: number;
  walBytes: number;
  networkBytes: number;
  commitsPerSecond: number;
}

const startsOf = ({ stepsPerRun, bytesPerValue }: Shape, runs: number) =>
  Promise.all(
    Array.from({ length: runs }, () => prepareStart(sizedSteps, { steps: stepsPerRun, bytes: bytesPerValue })),
  );

/** So many steps in queued runs of a shape, by workers that are there and warm. */
export async function measureDrain(
  bench: Bench,
  workers: readonly ChildWorker[],
  shape: Shape,
  steps: number,
): Promise<Measured> {
  await emptyRuns(bench);
  const runs = Math.round(steps / shape.stepsPerRun);
  const starts = await startsOf(shape, runs);
  const workersMs = () => workers.reduce((sum, worker) => sum + processCpuMs(worker.pid), 0);
  const before = await costSoFar(bench.pool);
  const [workerBefore, loopbackBefore] = [workersMs(), loopbackBytes()];
  const seconds = await secondsToDrain(bench, starts, sizedSteps.name);
  const [workerMs, loopback] = [workersMs() - workerBefore, loopbackBytes() - loopbackBefore];
  const cost = difference(before, await costSoFar(bench.pool));
  const done = runs * shape.stepsPerRun;
  return {
    stepsPerSecond: done / seconds,
    workerUs: (workerMs * 1_000) / done,
    serverUs: (cost.serverCpuMs * 1_000) / done,
    walBytes: cost.walBytes / done,
    networkBytes: loopback / done,
    commitsPerSecond: cost.commits / seconds,
  };
}

export function medianOf(all: readonly Measured[]): Measured {
  const of = (part: keyof Measured) => median(all.map((one) => one[part]));
  return {
    stepsPerSecond: of("stepsPerSecond"),
    workerUs: of("workerUs"),
    serverUs: of("serverUs"),
    walBytes: of("walBytes"),
    networkBytes: of("networkBytes"),
    commitsPerSecond: of("commitsPerSecond"),
  };
}

/** Of a start in bulk, in microseconds of the server. Without a worker: it would claim the runs meanwhile. */
export async function measureStart(bench: Bench, shape: Shape, runs: number): Promise<number> {
  const starts = await startsOf(shape, runs);
  const before = await costSoFar(bench.pool);
  await insertManyRuns(bench.db, starts);
  return (difference(before, await costSoFar(bench.pool)).serverCpuMs * 1_000) / runs;
}

/** Statements a second of one worker that has nothing to do, after the charts have counted what it did. */
export async function measureIdle(bench: Bench, seconds: number): Promise<number> {
  await delay(15_000);
  const before = await costSoFar(bench.pool);
  const since = performance.now();
  await delay(seconds * 1_000);
  const { statements } = difference(before, await costSoFar(bench.pool));
  return (statements / (performance.now() - since)) * 1_000;
}

/** Two walks at once: an installation has two workers at least, and each deletes. */
const WALKS = 2;

/**
 * Deletes every stored run as the workers' retention does. A loop in a worker pauses for as long as a batch took: half
 * of the rate that walks without pauses have.
 */
export async function measureDeletion(bench: Bench): Promise<Inputs["deletion"]> {
  await bench.pool.query("update handrail.workflow set retention = $1 where name = $2", [
    { completedMs: 0 },
    sizedSteps.name,
  ]);
  const before = await costSoFar(bench.pool);
  const since = performance.now();
  const gone = await Promise.all(Array.from({ length: WALKS }, () => walkToTheEnd(new RetentionWalk(bench.db))));
  const seconds = (performance.now() - since) / 1_000;
  const cost = difference(before, await costSoFar(bench.pool));
  const runs = gone.reduce((sum, one) => sum + one, 0);
  if (runs === 0)
    throw new Error("Retention deleted nothing: the charts have not counted the runs, or a worker lives.");
  return {
    serverUsPerRun: (cost.serverCpuMs * 1_000) / runs,
    walBytesPerRun: cost.walBytes / runs,
    runsPerSecond: runs / seconds / 2,
  };
}

async function walkToTheEnd(walk: RetentionWalk): Promise<number> {
  let runs = 0;
  for (let more = true; more; ) {
    const step = await walk.step();
    runs += step.gone.length;
    more = step.more;
  }
  return runs;
}

/** Between processes of this machine, in both directions (Linux). */
function loopbackBytes(): number {
  const line = readFileSync("/proc/net/dev", "utf8").match(/^\s*lo:\s*(\d+)/m);
  return Number(line?.[1]);
}
