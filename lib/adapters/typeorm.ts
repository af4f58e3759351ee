import type { DataSource, EntityManager } from "typeorm";
import { joined, type Transactions, transactionsOf } from "./adapter";

/**
 * Of a TypeORM data source of the type `postgres`, which the first transaction opens unless the app did: `ctx.transaction`
 * hands over the transaction's entity manager.
 */
export function typeormTransactions(dataSource: DataSource): Transactions<EntityManager> {
  let opening: Promise<unknown> | undefined;
  const opened = async () => {
    if (dataSource.isInitialized) return;
    opening ??= dataSource.initialize().finally(() => {
      opening = undefined;
    });
    await opening;
  };
  return transactionsOf(
    (body) => opened().then(() => dataSource.transaction(body)),
    (manager) => joined((text, values) => ask(manager, text, values)),
  );
}

async function ask({ queryRunner }: EntityManager, text: string, values: readonly unknown[]): Promise<unknown> {
  if (!queryRunner)
    throw new TypeError("This entity manager is in no transaction: give the one that dataSource.transaction passes.");
  return (await queryRunner.query(text, [...values], true)).records;
}
