import type { Knex } from "knex";
import { joined, type Transactions, transactionsOf } from "./adapter";

/** Of Knex with its client `pg`. */
export const knexTransactions = (knex: Knex): Transactions<Knex.Transaction> =>
  transactionsOf(
    (body) => knex.transaction(body),
    (tx) => joined((text, values) => ask(tx, text, values)),
  );

/** Knex counts question marks as values, and cannot use one value twice: `raw` is not for statements as they are. */
async function ask(tx: Knex.Transaction, text: string, values: readonly unknown[]): Promise<unknown> {
  const connection = await tx.client.acquireConnection();
  const { response } = await tx.client.query(connection, { sql: text.replaceAll("?", "\\?"), bindings: [...values] });
  return response.rows;
}
