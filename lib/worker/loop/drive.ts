import { VERSION_WAIT_MS } from "../../engine/workflows/workflow-versions";
import { poolDb } from "../../store/db";
import { glance } from "../../store/workers/glance";
import type { ClaimEnd } from "../claims/tally";
import { Worker, type WorkerOptions } from "./worker";

/** A drive waits for work that is due within this time: a call costs more than a second of waiting. */
const LINGER_MS = 1_000;
/** Runs may be started and events sent at any time: callers never wait longer. */
const COME_BACK_MS = 60_000;
/** Before its end, a drive begins nothing more; bodies get this share of it, and at most this long, to finish. */
const DRAIN_SHARE = 1 / 4;
const LONGEST_DRAIN_MS = 10_000;
/** Then they are aborted: a second in which they may still return an outcome, and half of one for the last records. */
const HAND_BACK_MS = 1_500;

/** What one drive did. A run that was claimed twice counts twice. */
export interface DriveReport {
  claimed: number;
  ended: Record<ClaimEnd, number>;
  /** Runs of silent workers that it has freed. */
  takenOver: number;
  /** Runs that it has started for schedules. */
  fired: number;
  /** Runs past their retention period that it deleted. */
  deleted: number;
  elapsedMs: number;
  /** When the next work is due, as far as known: 0 for at once, a minute at most. */
  callAgainInMs: number;
}

export interface DriveOptions extends Omit<WorkerOptions, "onLost" | "onDrain"> {
  /**
   * Total time, in milliseconds; it returns sooner when nothing is left to do. Less than 3,000 leaves no time to work.
   */
  maxMs: number;
  /** Hands everything back at once, as at the end of its time. */
  signal?: AbortSignal;
}

/**
 * A worker's life in one call, for platforms without long-running processes: claims what is due, drives it, does a
 * worker's duties, and hands back what is not finished. It is a normal worker with a lease and epochs: any number may
 * run at once, beside real ones, and the next one takes over from one that dies.
 * @throws StandAside while a migration asks for it; HandrailError on an incompatible schema; when the database cannot
 * be reached; its claims are handed back, or taken over after the lease
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
  const next: NextWork = async () => (await glance(poolDb(options.pool), worker.id, fitting)).workInMs ?? COME_BACK_MS;
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

/** Until it is late, or nothing is due now or within a second. */
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
