import type { Pool } from "pg";
import type { PgTransaction } from "../engine/workflows/workflow";
import { clientDb, inKnownTransaction } from "../store/db";
import type { TransactionSource } from "../worker/transactions/transactions";
import type { Transactions } from "./adapter";

/** Of node-postgres: a client that has said `begin`. A step's transaction and its id take one round trip. */
export function pgTransactions(pool: Pool): Transactions<PgTransaction> {
  const source: TransactionSource<PgTransaction> = (body) =>
    inKnownTransaction(pool, (client, id) => body(client as PgTransaction, clientDb(client), id));
  return Object.assign(source, { join: (client: PgTransaction) => clientDb(client as Parameters<typeof clientDb>[0]) });
}
