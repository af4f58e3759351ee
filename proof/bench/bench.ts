import type { Pool } from "pg";
import { openApp } from "../../lib/app";
import { newAuditKeys } from "../../lib/engine/audit/audit-keys";
import type { Workflow } from "../../lib/engine/workflows/workflow";
import type { WorkerMetrics } from "../../lib/library/worker-metrics";
import { createLogger } from "../../lib/log";
import { createPool } from "../../lib/store/database/pools";
import { type Db, poolDb } from "../../lib/store/db";
import { BEGUN, NEW, READY } from "../../lib/store/workers/fitting-runs";
import { Worker } from "../../lib/worker/loop/worker";
import { openWorkerPools } from "../../lib/worker/loop/worker-pools";

/** The base of every measurement: one database, and the baseline that was measured on it in this same process. */
export interface Bench {
  databaseUrl: string;
  pool: Pool;
  db: Db;
  /** Durable single-row inserts a second over prepared `pg`, with 1 and with 50 in flight. */
  b1: number;
  b50: number;
}

export function openBench(databaseUrl: string): Bench {
  const pool = createPool({
    databaseUrl,
    name: "bench",
    max: 50,
    statementTimeoutMs: 300_000,
    idleInTransactionMs: 60_000,
  });
  return { databaseUrl, pool, db: poolDb(pool), b1: 0, b50: 0 };
}

export async function measureBaseline(bench: Bench): Promise<Bench> {
  const { pool } = bench;
  await pool.query("create table baseline (id bigint generated always as identity primary key, note text)");
  await inserts(pool, 1, 500);
  await inserts(pool, 50, 5_000);
  return { ...bench, b1: await inserts(pool, 1, 2_000), b50: await inserts(pool, 50, 20_000) };
}

/** Per second. */
async function inserts(pool: Pool, inFlight: number, count: number): Promise<number> {
  const note = "x".repeat(100);
  let left = count;
  const since = performance.now();
  const client = async () => {
    while (left-- > 0)
      await pool.query({ name: "baseline", text: "insert into baseline (note) values ($1)", values: [note] });
  };
  await Promise.all(Array.from({ length: inFlight }, client));
  return (count / (performance.now() - since)) * 1_000;
}

interface WorkerSettings {
  workflows: readonly Workflow[];
  concurrency?: number;
  leaseMs?: number;
  metrics?: WorkerMetrics;
  /** Of the SDK's sampler. */
  traceRatio?: number | null;
}

/** A worker in this process, with the connections of a worker's process. */
export async function startWorker(
  bench: Bench,
  { workflows, concurrency = 400, leaseMs = 4_000, metrics, traceRatio = null }: WorkerSettings,
) {
  const { databaseUrl } = bench;
  const pools = { databaseUrl, name: "bench", leaseMs, engine: 6, app: 20 };
  const { appPool, end, ...connected } = openWorkerPools(pools);
  const worker = new Worker({
    ...connected,
    directUrl: databaseUrl,
    workflows,
    auditKeys: newAuditKeys(),
    app: openApp({}, appPool),
    concurrency,
    leaseMs,
    traceRatio,
    name: `bench/${process.pid}`,
    log: createLogger("bench", "warn"),
    tally: metrics?.tally,
    onLost: () => {
      throw new Error("The bench's worker lost its lease: the machine is too busy to measure anything.");
    },
  });
  const { pool: engine, heartbeatPool: heartbeat } = connected;
  const leave = metrics?.join(() => ({ ...worker.load, pools: { engine, app: appPool, heartbeat } }));
  await worker.start();
  return {
    wake: () => worker.wake(),
    async stop() {
      await worker.stop();
      leave?.();
      await end();
    },
  };
}

/**
 * Resolves when no run of the workflow is ready and no run at all is owned: polls along partial indexes, so that
 * polling costs nothing.
 */
export async function untilDone({ pool }: Bench, workflow: string, pollMs = 20): Promise<void> {
  for (;;) {
    const { rows } = await pool.query({
      name: "is-open",
      text: `select exists (select from handrail.run where workflow = $1 and ${READY} and ${NEW})
          or exists (select from handrail.run where workflow = $1 and ${READY} and ${BEGUN})
          or exists (select from handrail.run where worker_id is not null) as open`,
      values: [workflow],
    });
    if (!rows[0].open) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
