import { CompiledQuery, type Kysely, type Transaction } from "kysely";
import { joined, type Transactions, transactionsOf } from "./adapter";

/** Of Kysely with its `PostgresDialect`. Also joins a controlled transaction. */
export const kyselyTransactions = <Tables>(kysely: Kysely<Tables>): Transactions<Transaction<Tables>> =>
  transactionsOf(
    (body) => kysely.transaction().execute(body),
    (tx) => joined(async (text, values) => (await tx.executeQuery(CompiledQuery.raw(text, [...values]))).rows),
  );
