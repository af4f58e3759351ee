import { createPool, type PoolOptions } from "../../store/database/pools";
import { Timeline } from "../../store/database/timeline";
import { HEARTBEAT_CONNECTIONS } from "./heartbeat";

export interface WorkerPoolOptions extends Pick<PoolOptions, "databaseUrl" | "name" | "onPooled"> {
  /** The same database without a pooler. Default: the same address. */
  directUrl?: string;
  leaseMs: number;
  /** Most connections for flushes and claims. */
  engine: number;
  /** Most connections for the app's transactional steps. */
  app: number;
  /** Longest statement, in milliseconds. Default 30,000. */
  statementTimeoutMs?: number;
}

export type WorkerPools = ReturnType<typeof openWorkerPools>;

/** The connections of one worker. Their names in pg_stat_activity begin with the given one. */
export function openWorkerPools(options: WorkerPoolOptions) {
  const { databaseUrl, directUrl = databaseUrl, name, leaseMs, onPooled, statementTimeoutMs = 30_000 } = options;
  const timeline = new Timeline();
  const limits = { databaseUrl, timeline, statementTimeoutMs, idleInTransactionMs: leaseMs };
  const beats = { databaseUrl: directUrl, max: HEARTBEAT_CONNECTIONS, statementTimeoutMs: leaseMs, onePlan: true };
  const pool = createPool({ ...limits, name: `${name} worker`, max: options.engine, onePlan: true, onPooled });
  const appPool = createPool({ ...limits, name: `${name} app`, max: options.app });
  const heartbeatPool = createPool({ ...limits, ...beats, name: `${name} heartbeat` });
  const end = () => Promise.all([pool.end(), appPool.end(), heartbeatPool.end()]);
  return { timeline, pool, appPool, heartbeatPool, end };
}
