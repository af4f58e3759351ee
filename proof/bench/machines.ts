import { prepareStart } from "../../lib/engine/runs/start";
import { sendWork } from "../../lib/store/database/notify";
import { insertManyRuns } from "../../lib/store/runs/start-run";
import { type Bench, untilDone } from "./bench";
import { ChildWorker } from "./child-process";
import { atLeast, type Figure, median, perSecond } from "./figure";
import { threeSteps } from "./workflows";

const RUNS = 15_000;
/** For each number of workers, in turn: other load on the machine affects both. */
const ROUNDS = 3;
const WARM_UP = 6_000;

/** The same drain by one worker process and by two, on the same cores as the server. */
export async function machines(bench: Bench): Promise<Figure[]> {
  const alone: number[] = [];
  const together: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await drainedBy(bench, 1));
    together.push(await drainedBy(bench, 2));
  }
  return [
    {
      measure: "15,000 runs of 3 steps by two worker processes, against one",
      measured: `${perSecond(median(together))} against ${perSecond(median(alone))} steps`,
      value: median(together) / median(alone),
      target: atLeast(1),
    },
  ];
}

async function drainedBy(bench: Bench, count: number): Promise<number> {
  const workers = await Promise.all(Array.from({ length: count }, () => ChildWorker.start(bench.databaseUrl)));
  await drain(bench, WARM_UP);
  const rate = await drain(bench, RUNS);
  await killAll(bench, workers);
  return rate;
}

export async function killAll({ pool }: Bench, workers: readonly ChildWorker[]): Promise<void> {
  await Promise.all(workers.map((worker) => worker.kill()));
  // The next workers must not share their work with dead ones.
  await pool.query("update handrail.worker set stopped_at = clock_timestamp() where stopped_at is null");
}

/** Steps a second, from the commit of the starts on. */
export async function drain(bench: Bench, runs: number): Promise<number> {
  const starts = Array.from({ length: runs }, (_, n) => prepareStart(threeSteps, { n }));
  return (runs * 3) / (await secondsToDrain(bench, await Promise.all(starts), threeSteps.name));
}

/** From the commit of the starts on. */
export async function secondsToDrain(
  bench: Bench,
  starts: Parameters<typeof insertManyRuns>[1],
  workflow: string,
): Promise<number> {
  await insertManyRuns(bench.db, starts);
  await sendWork(bench.db);
  const since = performance.now();
  await untilDone(bench, workflow);
  return (performance.now() - since) / 1_000;
}
