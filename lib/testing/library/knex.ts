import makeKnex from "knex";
import { knexTransactions } from "../../adapters/knex";
import { createHandrail } from "../../library/handrail";
import { orderPlaced } from "./order-paid";

export const knex = makeKnex({ client: "pg", connection: process.env.DATABASE_URL as string });
export const handrail = createHandrail({ workflows: [orderPlaced], transactions: knexTransactions(knex) });

export const placeOrder = (orderId: string) =>
  knex.transaction(async (tx) => {
    await tx("app_order").insert({ id: orderId });
    return handrail.start(orderPlaced, { orderId }, { tx, idempotencyKey: `order:${orderId}` });
  });
