import type { Kysely } from "kysely";

export const up = (db: Kysely<unknown>) =>
  db.schema
    .createTable("orders")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("cents", "integer", (column) => column.notNull())
    .addColumn("charge_id", "text")
    .execute();

export const down = (db: Kysely<unknown>) => db.schema.dropTable("orders").execute();
