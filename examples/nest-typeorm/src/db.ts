import { DataSource, EntitySchema } from "typeorm";
import { Orders1700000000000 } from "./migrations/1-orders";

export interface Order {
  id: string;
  cents: number;
  chargeId: string | null;
}

export const orders = new EntitySchema<Order>({
  name: "orders",
  columns: {
    id: { type: "text", primary: true },
    cents: { type: "integer" },
    chargeId: { type: "text", name: "charge_id", nullable: true },
  },
});

export const dbAt = (url: string | undefined) =>
  new DataSource({ type: "postgres", url, entities: [orders], migrations: [Orders1700000000000] });
export const db = dbAt(process.env.DATABASE_URL);
