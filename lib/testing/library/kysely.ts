import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { kyselyTransactions } from "../../adapters/kysely";
import { createHandrail } from "../../library/handrail";
import { orderPlaced } from "./order-paid";

interface Tables {
  app_order: { id: string };
}

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
export const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
export const handrail = createHandrail({ workflows: [orderPlaced], transactions: kyselyTransactions(db) });

export const placeOrder = (orderId: string) =>
  db.transaction().execute(async (tx) => {
    await tx.insertInto("app_order").values({ id: orderId }).execute();
    return handrail.start(orderPlaced, { orderId }, { tx, idempotencyKey: `order:${orderId}` });
  });
