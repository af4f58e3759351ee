import type { Db } from "../db";
import { transactionId } from "./transaction-id";

/** What the engine needs of a Prisma client, whatever schema it was generated from. */
export interface PrismaTransaction {
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown>;
}
interface PrismaClientLike<Transaction extends PrismaTransaction> {
  $transaction<Result>(
    body: (tx: Transaction) => Promise<Result>,
    options: { maxWait: number; timeout: number },
  ): Promise<Result>;
}

// Prisma ends longer transactions with P2028. A step has its own timeout; this is the backstop.
const TRANSACTION_LIMITS = { maxWait: 10_000, timeout: 60_000 };

/** Runs the engine's statements in the transaction of the app's own Prisma calls. */
export function prismaDb(tx: PrismaTransaction): Db {
  const db: Db = {
    query: async <Row>(statement: { text: string }, values: readonly unknown[]) =>
      (await tx.$queryRawUnsafe(statement.text, ...values)) as Row[],
    transaction: (body) => body(db),
  };
  return db;
}

export function prismaTransactions<Transaction extends PrismaTransaction>(prisma: PrismaClientLike<Transaction>) {
  return <Result>(body: (client: Transaction, db: Db, id: string) => Promise<Result>): Promise<Result> =>
    prisma.$transaction(async (tx) => {
      const db = prismaDb(tx);
      return body(tx, db, await transactionId(db));
    }, TRANSACTION_LIMITS);
}
