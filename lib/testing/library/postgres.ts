import postgres from "postgres";
import { postgresTransactions } from "../../adapters/postgres";
import { createHandrail } from "../../library/handrail";
import { orderPlaced } from "./order-paid";

export const sql = postgres(process.env.DATABASE_URL as string);
export const handrail = createHandrail({ workflows: [orderPlaced], transactions: postgresTransactions(sql) });

export const placeOrder = (orderId: string) =>
  sql.begin(async (tx) => {
    await tx`insert into app_order (id) values (${orderId})`;
    return handrail.start(orderPlaced, { orderId }, { tx, idempotencyKey: `order:${orderId}` });
  });
