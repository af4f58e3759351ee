import pg from "pg";
import { openSession, type PooledSession } from "./session";
import type { Timeline } from "./timeline";
import { TAKES_NO_WRITES } from "./trouble";

export interface PoolOptions {
  databaseUrl: string;
  /** Shown in pg_stat_activity. */
  name: string;
  /** Most connections. */
  max: number;
  /** Longest statement, in milliseconds. */
  statementTimeoutMs: number;
  /**
   * Longest pause inside a transaction, in milliseconds. Otherwise a suspended process keeps its row locks for as long
   * as it is suspended, and taking over its expired lease would free nothing.
   */
  idleInTransactionMs: number;
  /**
   * For the engine's own statements: they are written for one plan (from given arrays to primary keys, along the head
   * of an index), and planning for each set of parameters, or JIT, costs more than running them. Default false, for the
   * app's SQL.
   */
  onePlan?: boolean;
  /**
   * For the console's reads, each of which has a limit: parallel workers would be planned to read everything, and JIT
   * compilation would delay them. Default false.
   */
  boundedReads?: boolean;
  /**
   * Called once, if the address turns out to lead through a pooler: there the pooler sets the limits above
   * (docs/poolers-and-failover.md), and every statement is planned anew.
   */
  onPooled?: (session: PooledSession) => void;
  /** Refuses a new connection by throwing. For processes that hold claims: shared by all of their pools. */
  timeline?: Pick<Timeline, "check">;
  /** Longest wait for a connection, in milliseconds. Default: ten seconds. */
  connectMs?: number;
}

/** A pool whose sessions cannot hold locks forever, and whose commits are durable whatever the server's default is. */
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
  connectMs = 10_000,
}: PoolOptions): pg.Pool {
  let reported = false;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: name,
    max,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    // A response later than the server's own limit will not come: the connection is given up.
    query_timeout: statementTimeoutMs + 5_000,
    // Awaited before the connection is lent.
    onConnect: async (client) => {
      const pooled = await openSession(client, { statementTimeoutMs, idleInTransactionMs, onePlan, boundedReads });
      if (pooled && !reported) onPooled?.(pooled);
      if (pooled) reported = true;
      await timeline?.check(client);
    },
  });
  // A dead connection is replaced at the next checkout, and its borrower's next statement fails. Unhandled, its error
  // would end the process: an idle one's on the pool, a borrowed one's between two statements on the client.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    endWhenReadOnly(client);
  });
  pool.on("release", (_, client) => endUnlessIdle(client));
  return pool;
}

/** Internals of pg: the statement without a response yet, those queued behind it, and every error as it arrives. */
interface ClientInside {
  _activeQuery: unknown;
  _queryQueue: unknown[];
  connection: { on(event: "errorMessage", heard: (error: { code?: string }) => void): void };
}

const readOnly = new WeakSet<object>();

/** After a failover, an old connection may keep leading to the old primary: a new one finds the new primary. */
function endWhenReadOnly(client: pg.PoolClient): void {
  (client as unknown as ClientInside).connection.on("errorMessage", ({ code }) => {
    if (code === TAKES_NO_WRITES) readOnly.add(client);
  });
}

/**
 * For every release of a connection, Prisma's too: one in a transaction, with a running statement or refused a write is
 * ended instead of reused. Otherwise its next borrower's acknowledged write would be rolled back with the open
 * transaction.
 */
function endUnlessIdle(client: pg.PoolClient): void {
  const { _activeQuery: running, _queryQueue: queued } = client as unknown as ClientInside;
  if (!running && queued.length === 0 && client.getTransactionStatus() === "I" && !readOnly.has(client)) return;
  // The pool drops ending clients, and checks only after this event.
  (client as unknown as pg.Client).end().catch(() => undefined);
}
