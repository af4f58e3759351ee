import { prepareStart } from "../lib/engine/start";
import { insertRunOnce } from "../lib/store/start-run";
import type { Bench } from "./bench";
import { ChildWorker, type Told } from "./child-process";
import { atMost, type Figure, ms } from "./figure";
import { longRun } from "./workflows";

const BY_DEFAULT_MS = 5_000;

/** A worker is killed in step 991: how soon its successor and another worker notice, and how long the replay takes. */
export async function recovery(bench: Bench): Promise<Figure[]> {
  const restarted = await killedAndRestarted(bench);
  const byAnother = await takenOverByAnother(bench);
  const replayMs = Math.min(restarted.told.passMs ?? 0, byAnother.told.passMs ?? 0);
  return [
    { measure: "replay of 990 kept steps", measured: ms(replayMs), value: replayMs, target: atMost(5) },
    {
      measure: "kill noticed by the restarted worker, after it is ready",
      measured: ms(restarted.afterMs),
      value: restarted.afterMs,
      target: atMost(500),
    },
    {
      measure: "kill noticed by another worker",
      measured: ms(byAnother.afterMs),
      value: byAnother.afterMs,
      target: atMost(BY_DEFAULT_MS),
    },
  ];
}

async function intoStep990(bench: Bench): Promise<ChildWorker> {
  const worker = await ChildWorker.start(bench.databaseUrl, { BENCH_HOLD: "1" });
  await insertRunOnce(bench.db, await prepareStart(longRun, {}));
  await worker.nextTold();
  return worker;
}

async function killedAndRestarted(bench: Bench): Promise<{ told: Told; afterMs: number }> {
  const doomed = await intoStep990(bench);
  await doomed.kill();
  const successor = await ChildWorker.start(bench.databaseUrl);
  const ready = Date.now();
  const told = await successor.nextTold();
  await successor.kill();
  return { told, afterMs: Math.max(0, told.at - ready) };
}

async function takenOverByAnother(bench: Bench): Promise<{ told: Told; afterMs: number }> {
  const doomed = await intoStep990(bench);
  const other = await ChildWorker.start(bench.databaseUrl);
  const killed = Date.now();
  await doomed.kill();
  const told = await other.nextTold();
  await other.kill();
  return { told, afterMs: told.at - killed };
}
