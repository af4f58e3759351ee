import { expect } from "vitest";
import { type Stack, writeFiles } from "./embedding";

const SERVER = `import fastify from "fastify";
import { db } from "./db";

const app = fastify();

app.post<{ Body: { id: string; cents: number } }>("/orders", async ({ body: order }, reply) => {
  await db
    .insertInto("orders")
    .values({ ...order, charge_id: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return reply.code(201).send({});
});

app.get<{ Params: { id: string } }>("/orders/:id", async ({ params }, reply) => {
  const order = await db
    .selectFrom("orders")
    .select(["id", "cents", "charge_id as chargeId"])
    .where("id", "=", params.id)
    .executeTakeFirst();
  return order ?? reply.code(404).send();
});

await app.listen({ port: Number(process.env.PORT ?? 3000) });
process.once("SIGTERM", async () => {
  await app.close();
  await db.destroy();
});
`;

const NOTE = `import type { Kysely } from "kysely";

export const up = (db: Kysely<unknown>) => db.schema.alterTable("orders").addColumn("note", "text").execute();
`;

const MIGRATE = "npx tsx src/migrate.ts";

export const fastifyKysely: Stack = {
  example: "fastify-kysely",
  kept: ["migrations", "src/db.ts", "src/migrate.ts", "tsconfig.json"],
  before: { "src/server.ts": SERVER },
  added: ["@hono/node-server", "hono", "zod"],
  table: "orders",
  history: "kysely_migration",
  migrate: MIGRATE,
  async noDrift({ sh, pool }) {
    const history = async () => (await pool.query("select *, xmin from kysely_migration")).rows;
    const before = await history();
    await sh(MIGRATE);
    expect(await history()).toEqual(before);
  },
  async addNote({ folder, sh }) {
    await writeFiles(folder, { "migrations/002-note.ts": NOTE });
    await sh(MIGRATE);
  },
};
