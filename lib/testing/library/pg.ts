import pg from "pg";
import { pgTransactions } from "../../adapters/pg";
import { createHandrail } from "../../library/handrail";
import { orderPlaced } from "./order-paid";

export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
export const handrail = createHandrail({ workflows: [orderPlaced], transactions: pgTransactions(pool) });

export async function placeOrder(orderId: string) {
  const tx = await pool.connect();
  try {
    await tx.query("begin");
    await tx.query("insert into app_order (id) values ($1)", [orderId]);
    const run = await handrail.start(orderPlaced, { orderId }, { tx, idempotencyKey: `order:${orderId}` });
    await tx.query("commit");
    return run;
  } catch (error) {
    await tx.query("rollback");
    throw error;
  } finally {
    tx.release();
  }
}
