import type { Pool } from "pg";
import type { AppTransaction, PgTransaction } from "../../engine/workflows/workflow";
import { clientDb, type Db, inKnownTransaction } from "../../store/db";

/**
 * Opens a transaction and hands over the app's client together with the engine's view of the same transaction, and the
 * transaction's id as `pg_current_xact_id()` gives it.
 */
export type TransactionSource<Client> = <Result>(
  body: (client: Client, db: Db, id: string) => Promise<Result>,
) => Promise<Result>;

/** What `ctx.transaction` works with: the app's own client, and always plain `pg`. */
export interface TransactionSources {
  app: TransactionSource<AppTransaction>;
  pg: TransactionSource<PgTransaction>;
}

export function pgTransactions(pool: Pool): TransactionSource<PgTransaction> {
  return (body) => inKnownTransaction(pool, (client, id) => body(client as PgTransaction, clientDb(client), id));
}
