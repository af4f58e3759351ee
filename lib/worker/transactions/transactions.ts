import type { AppTransaction, PgTransaction } from "../../engine/workflows/step-options";
import type { Db } from "../../store/db";

/**
 * Opens a transaction and passes the app's client together with the engine's view of the same transaction, and the
 * transaction's id from `pg_current_xact_id()`.
 */
export type TransactionSource<Client> = <Result>(
  body: (client: Client, db: Db, id: string) => Promise<Result>,
) => Promise<Result>;

/** The clients of `ctx.transaction`: the app's own, and always plain `pg`. */
export interface TransactionSources {
  app: TransactionSource<AppTransaction>;
  pg: TransactionSource<PgTransaction>;
}
