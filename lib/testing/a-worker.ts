import type { Pool } from "pg";
import { prepareStart, type StartOptions } from "../engine/start";
import type { Workflow } from "../engine/workflow";
import { createLogger, type Logger } from "../log";
import { createPrisma } from "../services/prisma";
import type { Db } from "../store/db";
import { createPool } from "../store/pools";
import { prismaTransactions } from "../store/prisma-db";
import { insertRunOnce } from "../store/start-run";
import { pgTransactions } from "../worker/transactions";
import { Worker } from "../worker/worker";
import type { TestDatabase } from "./database";

export interface WorkerSetup {
  /** Default 10 s: long enough for a busy machine not to lose it by accident. */
  leaseMs?: number;
  /** Default 50. */
  concurrency?: number;
  /** Connections of the engine's pool, and of the app's. Default 4. */
  connections?: number;
  name?: string;
  /** Default: none. */
  log?: Logger;
}

/** A real worker in this process, as lib/worker/main.ts makes one, but silent. */
export interface TestWorker {
  worker: Worker;
  /** The engine's own. */
  pool: Pool;
  /** Whether it was told that its lease is gone. */
  isLost(): boolean;
  /** Drains, then closes its connections. Safe to call twice. */
  stop(drainMs?: number): Promise<void>;
}

export async function startWorker(
  { url }: Pick<TestDatabase, "url">,
  workflows: readonly Workflow[],
  { leaseMs = 10_000, concurrency = 50, connections = 4, name = "test worker", log }: WorkerSetup = {},
): Promise<TestWorker> {
  const limits = { databaseUrl: url, statementTimeoutMs: 30_000, idleInTransactionMs: leaseMs };
  const pool = createPool({ ...limits, name, max: connections, onePlan: true });
  const appPool = createPool({ ...limits, name: `${name} app`, max: connections });
  const heartbeatPool = createPool({ ...limits, name: `${name} heartbeat`, max: 1, statementTimeoutMs: leaseMs });
  const prisma = createPrisma(appPool);
  let lost = false;
  const worker = new Worker({
    databaseUrl: url,
    pool,
    heartbeatPool,
    workflows,
    transactions: { app: prismaTransactions(prisma), pg: pgTransactions(appPool) },
    concurrency,
    leaseMs,
    name,
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
        await prisma.$disconnect();
        await Promise.all([pool.end(), appPool.end(), heartbeatPool.end()]);
      })();
      return stopped;
    },
  };
}

/** Starts a run as an app does; gives its id. */
export async function start(db: Db, workflow: Workflow, input: unknown = {}, options?: StartOptions): Promise<string> {
  return (await insertRunOnce(db, await prepareStart(workflow, input, options))).id;
}
