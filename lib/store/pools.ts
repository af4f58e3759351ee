import pg from "pg";

export interface PoolOptions {
  databaseUrl: string;
  /** Shown in pg_stat_activity. */
  name: string;
  /** Connections at the most. */
  max: number;
  /** Longest statement, in milliseconds. */
  statementTimeoutMs: number;
  /**
   * Longest pause inside a transaction, in milliseconds. A stopped process otherwise keeps its row locks for as long as it
   * is stopped, and a lease that has ended would free nothing.
   */
  idleInTransactionMs: number;
  /**
   * For the engine's own statements: they are written for one plan (from given arrays to primary keys, along the head of an
   * index), and planning anew for each set of parameters costs more than running them. Default false, for the app's SQL.
   */
  onePlan?: boolean;
}

/** A pool whose sessions cannot hold locks for ever, and whose commits are durable whatever the server's default is. */
export function createPool({
  databaseUrl,
  name,
  max,
  statementTimeoutMs,
  idleInTransactionMs,
  onePlan = false,
}: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: name,
    max,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    // An answer that comes later than the server's own limit allows will not come: the connection is given up.
    query_timeout: statementTimeoutMs + 5_000,
    options: `-c synchronous_commit=on${onePlan ? " -c plan_cache_mode=force_generic_plan" : ""}`,
  });
  // An idle connection that dies is replaced by the next one who asks; unheard, its error would end the process.
  pool.on("error", () => undefined);
  return pool;
}
