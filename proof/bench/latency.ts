import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { prepareStart } from "../../lib/engine/runs/start";
import { Notifier } from "../../lib/store/database/notifier";
import { insertRunOnce } from "../../lib/store/runs/start-run";
import { type Bench, startWorker } from "./bench";
import { ChildWorker } from "./child-process";
import { atMost, type Figure, median, ms } from "./figure";
import { costSoFar, difference } from "./server-cost";
import { threeSteps, told } from "./workflows";

const STARTS = 200;
/** Until the runs are counted for the charts. */
const UNTIL_IDLE_MS = 15_000;
const IDLE_MS = 20_000;

/** On an idle system: a run's start to its result, a start to its first step elsewhere, and what idling costs. */
export async function latency(bench: Bench): Promise<Figure[]> {
  const b1Ms = 1_000 / bench.b1;
  const inProcess = await startToResult(bench);
  const child = await ChildWorker.start(bench.databaseUrl);
  const pickUp = await startToFirstStep(bench, child);
  await delay(UNTIL_IDLE_MS);
  const before = await costSoFar(bench.pool);
  const since = performance.now();
  await delay(IDLE_MS);
  const idle = difference(before, await costSoFar(bench.pool));
  const statements = (idle.statements / (performance.now() - since)) * 1_000;
  await child.kill();
  return [
    {
      measure: "start → result of 3 steps, in process, p50, in B1 inserts",
      measured: ms(inProcess),
      value: inProcess / b1Ms,
      target: atMost(10),
    },
    {
      measure: "start → first step in another process, p50, in B1 inserts",
      measured: ms(pickUp),
      value: pickUp / b1Ms,
      target: atMost(10),
    },
    {
      measure: "statements a second of an idle worker",
      measured: statements.toFixed(1),
      value: statements,
      target: atMost(2),
    },
  ];
}

async function startToResult(bench: Bench): Promise<number> {
  const worker = await startWorker(bench, { workflows: [threeSteps] });
  const times: number[] = [];
  for (let n = 0; n < STARTS; n++) {
    const since = performance.now();
    const { id } = await insertRunOnce(bench.db, await prepareStart(threeSteps, { n }));
    worker.wake();
    await untilCompleted(bench, id);
    times.push(performance.now() - since);
    await delay(5);
  }
  await worker.stop();
  return median(times);
}

/** Asks as fast as the database answers. */
async function untilCompleted({ pool }: Bench, id: string): Promise<void> {
  const asked = {
    name: "is-completed",
    text: "select from handrail.run where id = $1 and status = 'completed'",
    values: [id],
  };
  while ((await pool.query(asked)).rowCount === 0);
}

async function startToFirstStep(bench: Bench, child: ChildWorker): Promise<number> {
  const notifier = new Notifier(bench.db);
  const times: number[] = [];
  for (let n = 0; n < STARTS; n++) {
    const since = performance.timeOrigin + performance.now();
    await insertRunOnce(bench.db, await prepareStart(told, {}));
    notifier.work();
    times.push((await child.nextTold()).at - since);
    await delay(30);
  }
  await notifier.close();
  return median(times);
}

/** Resident memory of a process, in MB (Linux). */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}
