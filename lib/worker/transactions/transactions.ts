import type { AppTransaction, PgTransaction } from "../../engine/workflows/step-options";
import type { TransactionId } from "../../store/database/transaction-id";
import type { OpenTransaction } from "../../store/db";

/**
 * Opens a transaction and passes the app's client together with the engine's view of the same transaction, and the
 * transaction's id from `pg_current_xact_id()`, or what will know it.
 */
export type TransactionSource<Client> = <Result>(
  body: (client: Client, db: OpenTransaction, id: TransactionId) => Promise<Result>,
) => Promise<Result>;

/** The clients of `ctx.transaction`: the app's own, and always plain `pg`. */
export interface TransactionSources {
  app: TransactionSource<AppTransaction>;
  pg: TransactionSource<PgTransaction>;
}
