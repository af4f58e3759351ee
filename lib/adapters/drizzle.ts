import type { ExtractTablesWithRelations } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT, PgTransaction } from "drizzle-orm/pg-core";
import { joined, type Transactions, transactionsOf } from "./adapter";

type Schema = Record<string, unknown>;

/** Of Drizzle's `node-postgres` and `postgres-js`: `ctx.transaction` hands over the `tx` of `db.transaction`. */
export const drizzleTransactions = <Results extends PgQueryResultHKT, Tables extends Schema>(
  db: PgDatabase<Results, Tables>,
): Transactions<DrizzleTransaction<Results, Tables>> =>
  transactionsOf(
    (body) => db.transaction(body),
    (tx) => joined((text, values) => ask(tx, text, values)),
  );

type DrizzleTransaction<Results extends PgQueryResultHKT, Tables extends Schema> = PgTransaction<
  Results,
  Tables,
  ExtractTablesWithRelations<Tables>
>;

/** As written: Drizzle's `sql` would number the values anew. */
async function ask<Results extends PgQueryResultHKT, Tables extends Schema>(
  tx: DrizzleTransaction<Results, Tables>,
  sql: string,
  params: readonly unknown[],
): Promise<unknown> {
  const statement = tx._.session.prepareQuery({ sql, params: [...params] }, undefined, undefined, false);
  const answer = await statement.execute();
  // node-postgres answers with a result, postgres.js with the rows.
  return Array.isArray(answer) ? answer : (answer as { rows: unknown[] }).rows;
}
