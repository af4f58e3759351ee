import { setTimeout as delay } from "node:timers/promises";
import { prepareStart } from "../../lib/engine/runs/start";
import { insertRunOnce } from "../../lib/store/runs/start-run";
import type { Bench } from "./bench";
import { ChildWorker, type Told } from "./child-process";
import { atMost, type Figure, ms } from "./figure";
import { longRun } from "./workflows";

const BY_DEFAULT_MS = 5_000;
/** The other worker's first beat is over by then, and its next is not near: noticing is not luck. */
const BETWEEN_BEATS_MS = 250;

/**
 * A worker is killed in step 991: how soon its successor and a neighbor on its machine notice, and how long the replay
 * takes. Or it is frozen, as if its machine were gone: then another worker notices by the expired lease.
 */
export async function recovery(bench: Bench): Promise<Figure[]> {
  const restarted = await killedAndRestarted(bench);
  const byNeighbour = await takenOverByAnother(bench, (doomed) => doomed.kill());
  const byLease = await takenOverByAnother(bench, (doomed) => doomed.freeze());
  const replayMs = Math.min(restarted.told.passMs ?? 0, byNeighbour.told.passMs ?? 0);
  return [
    { measure: "replay of 990 kept steps", measured: ms(replayMs), value: replayMs, target: atMost(5) },
    {
      measure: "kill noticed by the restarted worker, after it is ready",
      measured: ms(restarted.afterMs),
      value: restarted.afterMs,
      target: atMost(500),
    },
    {
      measure: "kill noticed by another worker on its machine",
      measured: ms(byNeighbour.afterMs),
      value: byNeighbour.afterMs,
      target: atMost(BY_DEFAULT_MS),
    },
    {
      measure: "silence noticed by another worker",
      measured: ms(byLease.afterMs),
      value: byLease.afterMs,
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

async function takenOverByAnother(
  bench: Bench,
  strike: (doomed: ChildWorker) => unknown,
): Promise<{ told: Told; afterMs: number }> {
  const doomed = await intoStep990(bench);
  const other = await ChildWorker.start(bench.databaseUrl);
  await delay(BETWEEN_BEATS_MS);
  const struck = Date.now();
  await strike(doomed);
  const told = await other.nextTold();
  await Promise.all([doomed.kill(), other.kill()]);
  return { told, afterMs: told.at - struck };
}
