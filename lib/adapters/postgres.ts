import type { Sql, TransactionSql } from "postgres";
import { literalOf, type Value } from "../store/given-rows";
import { joined, type Transactions, transactionsOf } from "./adapter";

/** The type `unknown`: PostgreSQL decides by the statement, and postgres.js sends the text as it is. */
const UNDECIDED = 705;

/** Of postgres.js: `ctx.transaction` hands over the `sql` of the transaction. */
export const postgresTransactions = <Types extends Record<string, unknown>>(
  sql: Sql<Types>,
): Transactions<TransactionSql<Types>> =>
  transactionsOf(
    (body) => sql.begin(body),
    (tx) =>
      joined((text, values) =>
        tx.unsafe(
          text,
          values.map((value) => undecided(tx, value)),
        ),
      ),
  );

// Otherwise a text for a column of JSON would become the JSON of that text. An array's own text has no braces or quotes.
const undecided = <Types extends Record<string, unknown>>(tx: TransactionSql<Types>, value: unknown) =>
  value === null ? null : tx.typed(Array.isArray(value) ? literalOf(value as Value[]) : String(value), UNDECIDED);
