import type { Pool } from "pg";
import type { PgTransaction } from "../engine/workflows/step-options";
import { inKnownTransaction } from "../store/database/known-transaction";
import { clientDb } from "../store/db";
import type { Transactions } from "./adapter";

/** Of node-postgres: a client in a transaction, which begins with its first statement, and ends with the checkpoint, in the same round trips. */
export const pgTransactions = (pool: Pool): Transactions<PgTransaction> => ({
  open: (body) => inKnownTransaction(pool, (client, tx, id) => body(client as PgTransaction, tx, id)),
  confirms: true,
  join: (client) => clientDb(client as Parameters<typeof clientDb>[0]),
});
