import { VERSION_WAIT_MS } from "../../engine/workflows/workflow-versions";
import { poolDb } from "../../store/db";
import { nextWorkInMs } from "../../store/workers/next-work";
import type { ClaimEnd } from "../claims/tally";
import { Worker, type WorkerOptions } from "./worker";

/** What is due within this time is waited for: a call costs more than a second of waiting. */
const LINGER_MS = 1_000;
/** Whatever is known, somebody may start a run or send an event: nobody is told to stay away for longer. */
const COME_BACK_MS = 60_000;
/** Before its end, a drive begins nothing more; bodies get this share of it, and this long at the most, to finish. */
const DRAIN_SHARE = 1 / 4;
const LONGEST_DRAIN_MS = 10_000;
/** Then they are aborted: a second in which they may still say what they came to, and half of one for the last records. */
const HAND_BACK_MS = 1_500;

/** What one drive did. A run that was claimed twice counts twice. */
export interface DriveReport {
  claimed: number;
  ended: Record<ClaimEnd, number>;
  /** Runs of silent workers that it has freed. */
  takenOver: number;
  /** Runs that it has started for schedules. */
  fired: number;
  /** Runs past their time that it has deleted. */
  deleted: number;
  elapsedMs: number;
  /** When there will be something to do, as far as it is known: 0 for at once, a minute at the most. */
  callAgainInMs: number;
}

export interface DriveOptions extends Omit<WorkerOptions, "onLost" | "onDrain"> {
  /** All in all, in milliseconds; it is back sooner when nothing is left to do. Less than 3,000 leave no time to work. */
  maxMs: number;
  /** Hands everything back at once, as at the end of its time. */
  signal?: AbortSignal;
}

/**
 * A worker's life in one call, for where no process may stay: claims what is due, drives it, does a worker's duties, and
 * hands back what is not finished. It is a worker like any other, with a lease and epochs of its own: any number may run at
 * once, beside real ones, and one that dies in the middle is taken over by the next.
 * @throws StandAside while a migration asks for it; HandrailError on a schema that this code cannot work on; when the database
 * cannot be asked; what it had claimed by then is handed back, or taken over after the lease
 */
export async function drive({ maxMs, signal, ...options }: DriveOptions): Promise<DriveReport> {
  const began = performance.now();
  const drainMs = Math.min(maxMs * DRAIN_SHARE, LONGEST_DRAIN_MS);
  const lastClaimMs = maxMs - drainMs - HAND_BACK_MS;
  let drained = false;
  const isLate = () => performance.now() - began >= lastClaimMs || drained || (signal?.aborted ?? false);
  const onDrain = () => {
    drained = true;
    wake();
  };
  const worker = new Worker({ ...options, onLost: () => undefined, onDrain });
  const fitting = { versions: options.workflows, waitMs: options.versionWaitMs ?? VERSION_WAIT_MS };
  const next: NextWork = async () => (await nextWorkInMs(poolDb(options.pool), worker.id, fitting)) ?? COME_BACK_MS;
  const wake = () => worker.wake();
  const timer = setTimeout(wake, lastClaimMs);
  signal?.addEventListener("abort", wake);
  try {
    const duties = await worker.join();
    const attending = duties.attend({ deletes: options.deletes ?? true, isLate });
    await workUntil(isLate, worker, next, attending);
    await attending;
    await duties.foldUntil(isLate);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", wake);
    await worker.stop(signal?.aborted ? 0 : drainMs);
  }
  const { claimed, ended, takenOver, fired, deleted } = worker.tally;
  const callAgainInMs = Math.round(Math.min(Math.max(await next(), 0), COME_BACK_MS));
  const elapsedMs = Math.round(performance.now() - began);
  return { claimed, ended, takenOver, fired, deleted, elapsedMs, callAgainInMs };
}

/** Until it is late, or nothing is left to do, nor will be within a second. */
async function workUntil(
  isLate: () => boolean,
  worker: Worker,
  next: NextWork,
  attending: Promise<void>,
): Promise<void> {
  let attended = false;
  void attending.then(() => {
    attended = true;
    worker.wake();
  });
  while (!isLate() && !worker.isStopping) {
    const mayBeDone = attended;
    const pauseMs = await worker.tick();
    if (!worker.isIdle) void worker.untilIdle().then(() => worker.wake());
    else if (mayBeDone && (await next()) > LINGER_MS) return;
    await worker.rest(pauseMs);
  }
}

type NextWork = () => Promise<number>;
