import type { Db } from "../store/db";
import { joined, type Transactions, transactionsOf } from "./adapter";

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
export const prismaDb = (tx: PrismaTransaction): Db => joined((text, values) => tx.$queryRawUnsafe(text, ...values));

/** Of any generated client: `ctx.transaction` hands its `Prisma.TransactionClient` over. A transaction takes 60 s at most. */
export const prismaTransactions = <Transaction extends PrismaTransaction>(
  prisma: PrismaClientLike<Transaction>,
): Transactions<Transaction> =>
  transactionsOf<Transaction>((body) => prisma.$transaction(body, TRANSACTION_LIMITS), prismaDb);
