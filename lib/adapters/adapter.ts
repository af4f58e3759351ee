import type { Pool } from "pg";
import { knownId, type TransactionId, transactionId, transactionStatus } from "../store/database/transaction-id";
import { brokenAfterItsBody, type Db, poolDb } from "../store/db";
import { textOf } from "../store/schema";
import type { TransactionSource } from "../worker/transactions/transactions";

/** The transactions of one library. */
export interface Transactions<Client> {
  /** Opens one for a step. */
  open: TransactionSource<Client>;
  /** `open` resolves only once PostgreSQL has committed that transaction. Otherwise a worker asks for how it ended. */
  confirms?: true;
  /** The engine's view of an open transaction: what it writes commits or rolls back with the app's rows. */
  join(client: Client): Db;
}

/** The library's transaction of some transactions: for `interface Register { transaction: … }`. */
export type TransactionOf<Adapter> = Adapter extends Transactions<infer Client> ? Client : never;

/** Runs one statement in a transaction, as written: with `$1` for its first value. */
type Ask = (text: string, values: readonly unknown[]) => Promise<unknown>;

/** The engine's view of a transaction that the library runs statements in. */
export function joined(ask: Ask): Db {
  const db: Db = {
    query: async <Row>(statement: { text: string }, values: readonly unknown[]) =>
      (await ask(textOf(statement), values)) as Row[],
    transaction: (body) => body(db),
  };
  return db;
}

/**
 * @param open the library's own: begins a transaction, commits it when the body resolves, and rolls back when it throws
 */
export function transactionsOf<Client>(
  open: (body: (client: Client) => Promise<void>) => Promise<unknown>,
  join: (client: Client) => Db,
): Transactions<Client> {
  return {
    open: (body) =>
      resultOf(open, async (client) => {
        const db = join(client);
        return body(client, db, await transactionId(db));
      }),
    join,
  };
}

/** Libraries take the answer to COMMIT for a commit: it has no error where PostgreSQL rolls an aborted transaction back. */
export const confirmed =
  <Client>(open: TransactionSource<Client>, pool: Pool): TransactionSource<Client> =>
  async (body) => {
    let known: TransactionId = "";
    const result = await open((client, tx, id) => {
      known = id;
      return body(client, tx, id);
    });
    if ((await transactionStatus(poolDb(pool), knownId(known) as string)) === "aborted") throw brokenAfterItsBody();
    return result;
  };

/**
 * The body's result, and never the library's: when a body has ended its transaction by itself, some libraries
 * resolve at once, whatever the body does then.
 */
async function resultOf<Client, Result>(
  open: (body: (client: Client) => Promise<void>) => Promise<unknown>,
  body: (client: Client) => Promise<Result>,
): Promise<Result> {
  let result: Promise<Result> | undefined;
  try {
    await open(async (client) => {
      result = body(client);
      await result;
    });
  } catch (error) {
    // Nothing of it runs on beside its next attempt.
    await result?.catch(() => undefined);
    throw error;
  }
  if (result === undefined) throw new Error("The library reported the end of a transaction that it had not begun.");
  return result;
}
