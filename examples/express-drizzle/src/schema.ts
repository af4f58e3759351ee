import { integer, pgTable, text } from "drizzle-orm/pg-core";

export const orders = pgTable("orders", {
  id: text("id").primaryKey(),
  cents: integer("cents").notNull(),
  chargeId: text("charge_id"),
});
