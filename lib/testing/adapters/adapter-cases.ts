import pg from "pg";
import type { Transactions } from "../../adapters/adapter";

/** One library as an app uses it, whatever its transaction is. */
export interface OpenAdapter<Tx = unknown> {
  transactions: Transactions<Tx>;
  /** A transaction that the app opens by itself. */
  transaction(body: (tx: Tx) => Promise<unknown>): Promise<unknown>;
  /** A statement in the transaction, by the library's own means. */
  say(tx: Tx, sql: string): Promise<unknown>;
  /** The library's own call for ending a transaction, where bodies have one. */
  commit?(tx: Tx): Promise<unknown>;
  close(): Promise<unknown>;
}

/** Hides which library it is, so that a table can hold all of them. */
const anAdapter = <Tx>(transactions: Transactions<Tx>, rest: Omit<OpenAdapter<Tx>, "transactions">): OpenAdapter => ({
  transactions,
  ...rest,
});
/** As many connections as a test has transactions at once. */
const MAX = 3;
/** A session that ends between two statements would end the process: `error` is an event of its client then. */
const poolAt = (url: string) =>
  new pg.Pool({ connectionString: url, max: MAX })
    .on("error", () => undefined)
    .on("connect", (client) => client.on("error", () => undefined));

/** Each with its real library, loaded when it is opened. */
export const ADAPTERS: Record<string, (url: string) => Promise<OpenAdapter>> = {
  async prisma(url) {
    const { createPrisma } = await import("../../../demo/services/prisma");
    const { prismaTransactions } = await import("../../adapters/prisma");
    const pool = poolAt(url);
    const prisma = createPrisma(pool);
    return anAdapter(prismaTransactions(prisma), {
      transaction: (body) => prisma.$transaction(body),
      say: (tx, sql) => tx.$executeRawUnsafe(sql),
      close: () => prisma.$disconnect().then(() => pool.end()),
    });
  },
  async "drizzle (node-postgres)"(url) {
    const { sql } = await import("drizzle-orm");
    const { drizzle } = await import("drizzle-orm/node-postgres");
    const { drizzleTransactions } = await import("../../adapters/drizzle");
    const pool = poolAt(url);
    const db = drizzle(pool);
    return anAdapter(drizzleTransactions(db), {
      transaction: (body) => db.transaction(body),
      say: (tx, text) => tx.execute(sql.raw(text)),
      close: () => pool.end(),
    });
  },
  async "drizzle (postgres-js)"(url) {
    const { sql } = await import("drizzle-orm");
    const { drizzle } = await import("drizzle-orm/postgres-js");
    const { drizzleTransactions } = await import("../../adapters/drizzle");
    const client = (await import("postgres")).default(url, { max: MAX, onnotice: () => undefined });
    const db = drizzle(client);
    return anAdapter(drizzleTransactions(db), {
      transaction: (body) => db.transaction(body),
      say: (tx, text) => tx.execute(sql.raw(text)),
      close: () => client.end(),
    });
  },
  async kysely(url) {
    const { Kysely, PostgresDialect, sql } = await import("kysely");
    const { kyselyTransactions } = await import("../../adapters/kysely");
    const db = new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool: poolAt(url) }) });
    return anAdapter(kyselyTransactions(db), {
      transaction: (body) => db.transaction().execute(body),
      say: (tx, text) => sql.raw(text).execute(tx),
      close: () => db.destroy(),
    });
  },
  async knex(url) {
    const { default: makeKnex } = await import("knex");
    const { knexTransactions } = await import("../../adapters/knex");
    const knex = makeKnex({ client: "pg", connection: url, pool: { min: 0, max: MAX } });
    return anAdapter(knexTransactions(knex), {
      transaction: (body) => knex.transaction(body),
      say: async (tx, sql) => tx.raw(sql),
      commit: async (tx) => tx.commit(),
      close: () => knex.destroy(),
    });
  },
  async typeorm(url) {
    const { DataSource } = await import("typeorm");
    const { typeormTransactions } = await import("../../adapters/typeorm");
    const dataSource = await new DataSource({ type: "postgres", url, extra: { max: MAX } }).initialize();
    return anAdapter(typeormTransactions(dataSource), {
      transaction: (body) => dataSource.transaction(body),
      say: (manager, sql) => manager.query(sql),
      commit: async (manager) => manager.queryRunner?.commitTransaction(),
      close: () => dataSource.destroy(),
    });
  },
  async "postgres.js"(url) {
    const { postgresTransactions } = await import("../../adapters/postgres");
    const sql = (await import("postgres")).default(url, { max: MAX, onnotice: () => undefined });
    return anAdapter(postgresTransactions(sql), {
      transaction: (body) => sql.begin(body),
      say: (tx, text) => tx.unsafe(text),
      close: () => sql.end(),
    });
  },
  async pg(url) {
    const { pgTransactions } = await import("../../adapters/pg");
    const { inTransaction } = await import("../../store/db");
    const pool = poolAt(url);
    return anAdapter(pgTransactions(pool), {
      transaction: (body) => inTransaction(pool, body),
      say: (tx, sql) => tx.query(sql),
      close: () => pool.end(),
    });
  },
};
