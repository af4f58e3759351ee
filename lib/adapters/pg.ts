import type { Pool } from "pg";
import type { PgTransaction } from "../engine/workflows/step-options";
import { clientDb, inKnownTransaction } from "../store/db";
import type { Transactions } from "./adapter";

/** Of node-postgres: a client that has said `begin`. A step's transaction and its id take one round trip. */
export const pgTransactions = (pool: Pool): Transactions<PgTransaction> => ({
  open: (body) => inKnownTransaction(pool, (client, id) => body(client as PgTransaction, clientDb(client), id)),
  confirms: true,
  join: (client) => clientDb(client as Parameters<typeof clientDb>[0]),
});
