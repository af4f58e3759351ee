import type { Pool } from "pg";
import { newAuditKeys } from "../engine/audit/audit-keys";
import type { Schedule } from "../engine/schedules/schedule";
import type { Workflow } from "../engine/workflows/workflow";
import { createLogger, type Logger } from "../log";
import { createPool } from "../store/database/pools";
import { Timeline } from "../store/database/timeline";
import type { OpenApp } from "../worker/app";
import { BEATS_AT_ONCE } from "../worker/loop/heartbeat";
import { Worker } from "../worker/loop/worker";

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
  /** The database's address without the pooler. Default: the worker's address. */
  directUrl?: string;
}

/** A real worker in this process, as in lib/worker/main.ts, but without logs. */
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
  const timeline = new Timeline();
  const limits = { databaseUrl, statementTimeoutMs: 30_000, idleInTransactionMs: leaseMs, timeline };
  const pool = createPool({ ...limits, name, max: connections, onePlan: true });
  const appPool = createPool({ ...limits, name: `${name} app`, max: connections });
  const heartbeatPool = createPool({
    ...limits,
    databaseUrl: directUrl,
    name: `${name} heartbeat`,
    max: BEATS_AT_ONCE,
    statementTimeoutMs: leaseMs,
  });
  let lost = false;
  const worker = new Worker({
    directUrl,
    timeline,
    pool,
    heartbeatPool,
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
  await worker.start();
  let stopped: Promise<void> | undefined;
  return {
    worker,
    pool,
    isLost: () => lost,
    stop(drainMs) {
      stopped ??= (async () => {
        await worker.stop(drainMs);
        await Promise.all([pool.end(), appPool.end(), heartbeatPool.end()]);
      })();
      return stopped;
    },
  };
}
