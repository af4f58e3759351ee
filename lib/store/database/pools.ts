import pg from "pg";
import { openSession, type PooledSession } from "./session";
import type { Timeline } from "./timeline";
import { TAKES_NO_WRITES } from "./trouble";

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
   * index), and planning anew for each set of parameters, or compiling them, costs more than running them. Default false, for the app's SQL.
   */
  onePlan?: boolean;
  /**
   * For the console's reads, each of which ends at a limit: shared among parallel workers, they would be planned to read all
   * there is, and compiled, they would wait for that. Default false.
   */
  boundedReads?: boolean;
  /**
   * Called once, when the address turns out to lead through a pooler: there the limits above are the pooler's to set
   * (docs/poolers-and-failover.md), and every statement is planned anew.
   */
  onPooled?: (session: PooledSession) => void;
  /** For processes that hold claims: shared by all of its pools. */
  timeline?: Timeline;
}

/** A pool whose sessions cannot hold locks for ever, and whose commits are durable whatever the server's default is. */
export function createPool({
  databaseUrl,
  name,
  max,
  statementTimeoutMs,
  idleInTransactionMs,
  onePlan = false,
  boundedReads = false,
  onPooled,
  timeline,
}: PoolOptions): pg.Pool {
  let told = false;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: name,
    max,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    // An answer that comes later than the server's own limit allows will not come: the connection is given up.
    query_timeout: statementTimeoutMs + 5_000,
    // Awaited before anybody is lent the connection.
    onConnect: async (client) => {
      const pooled = await openSession(client, { statementTimeoutMs, idleInTransactionMs, onePlan, boundedReads });
      if (pooled && !told) onPooled?.(pooled);
      if (pooled) told = true;
      await timeline?.check(client);
    },
  });
  // A connection that dies is replaced by the next one who asks, and whoever borrows it hears of it by their next statement;
  // unheard, its error would end the process: of an idle one at the pool, of a borrowed one between two statements at itself.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    endWhenReadOnly(client);
  });
  pool.on("release", (_, client) => endUnlessIdle(client));
  return pool;
}

/** What pg keeps to itself: the statement that is not answered yet, those behind it, and every error as it arrives. */
interface ClientInside {
  _activeQuery: unknown;
  _queryQueue: unknown[];
  connection: { on(event: "errorMessage", heard: (error: { code?: string }) => void): void };
}

const readOnly = new WeakSet<object>();

/** After a failover, an old connection may lead to the old primary for as long as it lasts: the next one finds the new. */
function endWhenReadOnly(client: pg.PoolClient): void {
  (client as unknown as ClientInside).connection.on("errorMessage", ({ code }) => {
    if (code === TAKES_NO_WRITES) readOnly.add(client);
  });
}

/**
 * Whoever gives a connection back, Prisma too: one in a transaction or under a statement is ended rather than lent again,
 * and so is one that was told that it may not write.
 * Its next borrower's acknowledged write would otherwise be rolled back with what was left open.
 */
function endUnlessIdle(client: pg.PoolClient): void {
  const { _activeQuery: running, _queryQueue: queued } = client as unknown as ClientInside;
  if (!running && queued.length === 0 && client.getTransactionStatus() === "I" && !readOnly.has(client)) return;
  // The pool drops what is ending, and asks only after this event.
  (client as unknown as pg.Client).end().catch(() => undefined);
}
