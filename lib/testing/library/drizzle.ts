import { drizzle } from "drizzle-orm/node-postgres";
import { pgTable, text } from "drizzle-orm/pg-core";
import { drizzleTransactions } from "../../adapters/drizzle";
import { createHandrail } from "../../library/handrail";
import { orderPlaced } from "./order-paid";

const appOrder = pgTable("app_order", { id: text("id").primaryKey() });
export const db = drizzle(process.env.DATABASE_URL as string);
export const handrail = createHandrail({ workflows: [orderPlaced], transactions: drizzleTransactions(db) });

export const placeOrder = (orderId: string) =>
  db.transaction(async (tx) => {
    await tx.insert(appOrder).values({ id: orderId });
    return handrail.start(orderPlaced, { orderId }, { tx, idempotencyKey: `order:${orderId}` });
  });
