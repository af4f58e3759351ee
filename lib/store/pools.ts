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
  // A connection that dies is replaced by the next one who asks, and whoever borrows it hears of it by their next statement;
  // unheard, its error would end the process: of an idle one at the pool, of a borrowed one between two statements at itself.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("release", (_, client) => endUnlessIdle(client));
  return pool;
}

/** What pg keeps to itself: the statement that is not answered yet, and those behind it. */
interface ClientInside {
  _activeQuery: unknown;
  _queryQueue: unknown[];
}

/**
 * Whoever gives a connection back, Prisma too: one in a transaction or under a statement is ended rather than lent again.
 * Its next borrower's acknowledged write would otherwise be rolled back with what was left open.
 */
function endUnlessIdle(client: pg.PoolClient): void {
  const { _activeQuery: running, _queryQueue: queued } = client as unknown as ClientInside;
  if (!running && queued.length === 0 && client.getTransactionStatus() === "I") return;
  // The pool drops what is ending, and asks only after this event.
  (client as unknown as pg.Client).end().catch(() => undefined);
}
