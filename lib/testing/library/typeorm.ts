import { DataSource } from "typeorm";
import { typeormTransactions } from "../../adapters/typeorm";
import { createHandrail } from "../../library/handrail";
import { orderPlaced } from "./order-paid";

export const dataSource = new DataSource({ type: "postgres", url: process.env.DATABASE_URL });
await dataSource.initialize();
export const handrail = createHandrail({ workflows: [orderPlaced], transactions: typeormTransactions(dataSource) });

export const placeOrder = (orderId: string) =>
  dataSource.transaction(async (tx) => {
    await tx.query("insert into app_order (id) values ($1)", [orderId]);
    return handrail.start(orderPlaced, { orderId }, { tx, idempotencyKey: `order:${orderId}` });
  });
