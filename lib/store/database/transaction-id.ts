import type { Db, Statement } from "../db";

/*
 * A transaction's id is that of its outermost level: savepoints do not change it. A commit, a rollback, `and chain` and
 * a prepare all end it, and the connection's next transaction has another id, or none.
 */
export const idStatement: Statement = { name: "transaction-id", text: "select pg_current_xact_id()::text as id" };

/** Of a transaction that begins with its first statement. */
export interface LaterId {
  /** Undefined while it has not begun. */
  known(): string | undefined;
  /** Begins it, unless a statement has. */
  begun(): Promise<string>;
}

/** How a step knows its transaction. */
export type TransactionId = string | LaterId;

export const idOf = (id: TransactionId): string | Promise<string> => (typeof id === "string" ? id : id.begun());

export const knownId = (id: TransactionId): string | undefined => (typeof id === "string" ? id : id.known());

/** The id of the transaction that `tx` is in. */
export async function transactionId(tx: Db): Promise<string> {
  const [row] = await tx.query<{ id: string }>(idStatement, []);
  return (row as { id: string }).id;
}

/** SQL condition: whether the statement runs in the transaction whose id is in `parameter`. */
export const isInTransaction = (parameter: string) =>
  `pg_current_xact_id_if_assigned()::text is not distinct from ${parameter}`;

const isInsideStatement: Statement = {
  name: "is-inside-transaction",
  text: `select ${isInTransaction("$1")} as inside`,
};

/** Whether `tx` is still in the transaction with this id. */
export async function isInside(tx: Db, id: string): Promise<boolean> {
  const [row] = await tx.query<{ inside: boolean }>(isInsideStatement, [id]);
  return row?.inside ?? false;
}

const statusStatement: Statement = {
  name: "transaction-status",
  text: "select pg_xact_status($1::text::xid8) as status",
};

/** How the transaction with this id ended. A prepared one is in progress. */
export async function transactionStatus(db: Db, id: string): Promise<"committed" | "aborted" | "in progress" | null> {
  const [row] = await db.query<{ status: "committed" | "aborted" | "in progress" | null }>(statusStatement, [id]);
  return row?.status ?? null;
}
