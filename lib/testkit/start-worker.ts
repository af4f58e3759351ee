import type { Pool } from "pg";
import { newAuditKeys } from "../engine/audit/audit-keys";
import type { Schedule } from "../engine/schedules/schedule";
import type { Workflow } from "../engine/workflows/workflow";
import { createLogger, type Logger } from "../log";
import type { OpenApp } from "../worker/app";
import { Worker } from "../worker/loop/worker";
import { openWorkerPools, type WorkerPools } from "../worker/loop/worker-pools";

export interface WorkerSetup {
  /** Default 10 s: long enough for a busy machine not to lose it by accident. */
  leaseMs?: number;
  /** Default 50. */
  concurrency?: number;
  /** Connections of the engine's pool, and of the app's. Default 4. */
  connections?: number;
  name?: string;
  /** How long a begun run waits for its version once no live worker has it. Default: not at all. */
  versionWaitMs?: number;
  /** Default: none. */
  schedules?: readonly Schedule[];
  /** Default: none. */
  log?: Logger;
  /** How often the worker publishes progress. Default 250. */
  publishProgressMs?: number;
  /** Connections of workers before and after it, which their owner closes. Default: its own. */
  pools?: WorkerPools;
  /** The database's address without the pooler. Default: the worker's address. */
  directUrl?: string;
}

/** A real worker in this process, as a worker's process has one, but without logs. */
export interface TestWorker {
  worker: Worker;
  /** The engine's own. */
  pool: Pool;
  /** Whether its lease was reported lost. */
  isLost(): boolean;
  /** Drains, then closes its connections. Safe to call twice. */
  stop(drainMs?: number): Promise<void>;
}

export async function startWorker(
  databaseUrl: string,
  workflows: readonly Workflow[],
  open: (pool: Pool) => OpenApp,
  setup: WorkerSetup = {},
): Promise<TestWorker> {
  const { leaseMs = 10_000, concurrency = 50, connections = 4, name = "test worker", schedules = [], log } = setup;
  const { directUrl = databaseUrl, publishProgressMs, versionWaitMs = 0 } = setup;
  const addresses = { databaseUrl, directUrl };
  const own = setup.pools
    ? undefined
    : openWorkerPools({ ...addresses, name, leaseMs, engine: connections, app: connections });
  const pools = setup.pools ?? (own as WorkerPools);
  const { timeline, pool, appPool, heartbeatPool } = pools;
  let lost = false;
  const worker = new Worker({
    timeline,
    pool,
    heartbeatPool,
    directUrl,
    workflows,
    schedules,
    auditKeys: newAuditKeys(),
    app: open(appPool),
    concurrency,
    leaseMs,
    versionWaitMs,
    name,
    ...(publishProgressMs !== undefined && { publishProgressMs }),
    log: log ?? createLogger(name, "silent"),
    onLost: () => {
      lost = true;
    },
  });
  await worker.start().catch(async (refusal: unknown) => {
    await own?.end();
    throw refusal;
  });
  let stopped: Promise<void> | undefined;
  return {
    worker,
    pool,
    isLost: () => lost,
    stop(drainMs) {
      stopped ??= worker.stop(drainMs).then(async () => void (await own?.end()));
      return stopped;
    },
  };
}
