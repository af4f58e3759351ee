import type { Pool, PoolClient, QueryConfig, QueryResult } from "pg";
import { HandrailError } from "../engine/errors";
import { disown, isOwnSession } from "./database/session";
import { engineTypes } from "./database/type-parsers";
import { textOf } from "./schema";

/** A named statement: Postgres plans it once per connection, if the connection is a dedicated session. */
export interface Statement {
  name: string;
  text: string;
}

/**
 * A named statement whose text has the cap, an integer, in the place of `$1`. PostgreSQL plans a statement with parameters anew for each of
 * its first five executions on a connection, and one without them once.
 */
export function cappedStatement(name: string, text: string): (cap: number) => Statement {
  const made = new Map<number, Statement>();
  return (cap) => {
    const known = made.get(cap) ?? { name: `${name}-${cap}`, text: text.replaceAll("$1", `${cap}`) };
    made.set(cap, known);
    return known;
  };
}

/** The store's interface to a database. A pool and a transaction implement it: the caller decides the transaction. */
export interface Db {
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** Begins a transaction, or joins the current one. */
  transaction<Result>(body: (tx: Db) => Promise<Result>): Promise<Result>;
}

/** A transaction that may commit with its last statement, in one round trip. */
export interface OpenTransaction extends Db {
  /** The statement has to fail where the transaction must not commit. */
  queryAndCommit?<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
}

export function poolDb(pool: Pool): Db {
  return {
    query: (statement, values) => withClient(pool, (client) => run(client, statement, values, true)),
    transaction: (body) => inTransaction(pool, (client) => body(clientDb(client))),
  };
}

/** For a client that is already inside a transaction. */
export function clientDb(client: Pick<PoolClient, "query">): Db {
  const db: Db = {
    query: (statement, values) => run(client, statement, values),
    transaction: (body) => body(db),
  };
  return db;
}

const run = <Row>(
  client: Pick<PoolClient, "query">,
  statement: Statement,
  values: readonly unknown[],
  isAlone = false,
): Promise<Row[]> =>
  asSessionAllows(client, statement, values, async (config) => (await client.query(config)).rows as Row[], isAlone);

/** Sends a statement prepared, or as a text alone where the session may be shared with others. @param ask sends it */
export async function asSessionAllows<Answer>(
  client: object,
  statement: Statement,
  values: readonly unknown[],
  ask: (config: QueryConfig) => Promise<Answer>,
  isAlone = false,
): Promise<Answer> {
  const config = { text: textOf(statement), values: values as unknown[], types: engineTypes };
  if (!isOwnSession(client)) return ask(config);
  try {
    return await ask({ ...config, name: statement.name });
  } catch (error) {
    if (!isOfPreparation(error)) throw error;
    // An undetected pooler shared the session with other clients, or a migration added a column: the next try is unnamed. It was not
    // executed; but a transaction around it is aborted.
    disown(client);
    if (isAlone) return ask(config);
    throw error;
  }
}

/**
 * No prepared statement of this name, another client's, or one whose columns are others now. The last has the code of all that a server
 * does not support, and is known by the place in PostgreSQL's source: messages are translated.
 */
const isOfPreparation = (error: unknown): boolean =>
  /^(26000|42P05)$/.test(sqlState(error) ?? "") || (error as { routine?: unknown }).routine === "RevalidateCachedQuery";

/** Commits when `body` resolves, rolls back when it throws. */
export const inTransaction = <Result>(pool: Pool, body: (client: PoolClient) => Promise<Result>): Promise<Result> =>
  transact(pool, (client) => client.query("begin"), body);

/** SQLSTATE of a statement in a transaction that PostgreSQL has aborted. */
export const IN_FAILED_TRANSACTION = "25P02";

/** Of a transaction whose body had returned, and which was rolled back all the same. */
export const brokenAfterItsBody = (cause?: unknown): HandrailError =>
  new HandrailError(
    "transaction_aborted",
    "Something that the body had left running failed, or ended the transaction, after the body had returned: nothing was kept. " +
      "Await every statement of the body.",
    {},
    cause === undefined ? {} : { cause },
  );

/** Reads in a transaction, with the answer to `question` before and after them: no further round trip for either. */
export async function inReadBetween<Answer, Result>(
  pool: Pool,
  question: string,
  body: (client: PoolClient, before: Answer) => Promise<Result>,
): Promise<{ result: Result; after: Answer }> {
  let after: unknown;
  const result = await transact(
    pool,
    (client) => client.query(`begin read only; ${question}`),
    (client, begun) => body(client, (begun as unknown as QueryResult[])[1]?.rows[0] as Answer),
    async (client) => {
      const [answered] = (await client.query(`${question}; commit`)) as unknown as QueryResult[];
      after = answered?.rows[0];
    },
  );
  return { result, after: after as Answer };
}

/** @param commit unless it has been sent with the body's last statement */
export async function transact<Begun, Result>(
  pool: Pool,
  begin: (client: PoolClient) => Promise<Begun>,
  body: (client: PoolClient, begun: Begun) => Promise<Result>,
  commit: (client: PoolClient) => Promise<unknown> = (client) => client.query("commit"),
): Promise<Result> {
  const client = await pool.connect();
  // Only a response of the server proves that no transaction is left open there. Without one the client is destroyed:
  // its next borrower's acknowledged write would be rolled back with the old transaction.
  let clean = false;
  try {
    const result = await body(client, await begin(client));
    await commit(client);
    clean = true;
    return result;
  } catch (error) {
    clean = await client.query("rollback").then(
      () => true,
      () => false,
    );
    throw error;
  } finally {
    client.release(!clean);
  }
}

async function withClient<Result>(pool: Pool, body: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let clean = true;
  try {
    return await body(client);
  } catch (error) {
    clean = sqlState(error) !== undefined;
    throw error;
  } finally {
    client.release(!clean);
  }
}

/** The SQLSTATE of Postgres' response, also if Prisma or a cause wraps it; undefined if there was no response. */
export function sqlState(error: unknown): string | undefined {
  for (let at = error as WrappedError | undefined, depth = 0; at && depth < 5; depth++) {
    const wrapped = at.meta?.driverAdapterError?.cause;
    const found = [at.code, at.originalCode, wrapped?.originalCode, at.meta?.code].find(isSqlState);
    if (found !== undefined) return found;
    at = at.cause;
  }
  return undefined;
}

interface WrappedError {
  code?: unknown;
  originalCode?: unknown;
  meta?: { code?: unknown; driverAdapterError?: { cause?: { originalCode?: unknown } } };
  cause?: WrappedError;
}

// Prisma's own codes (P1001, P2028…) look alike; Postgres uses only P0 of class P. Node's have no digit (EPIPE).
const isSqlState = (code: unknown): code is string =>
  typeof code === "string" && /^(?!P[1-9])(?=.*\d)[0-9A-Z]{5}$/.test(code);

/**
 * Permanent errors, which a retry repeats: one row written twice (21), bad data (22), a violated constraint (23), a
 * wrong statement (42), a limit (54).
 */
export const isRefusal = (error: unknown): boolean => /^(21|22|23|42(?!P05)|54)/.test(sqlState(error) ?? "");
