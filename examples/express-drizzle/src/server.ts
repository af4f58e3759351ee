import { eq } from "drizzle-orm";
import express from "express";
import { createHandrail } from "handrail";
import { expressHandler } from "handrail/express";
import config from "../handrail.config";
import { db, pool } from "./db";
import { payOrder } from "./order";
import { orders } from "./schema";

const handrail = createHandrail(config);
await handrail.worker().start();

const app = express();
// For other programs, with tokens made in the console.
app.use("/handrail", expressHandler(handrail));
app.use(express.json());

app.post("/orders", async (request, response) => {
  const order: { id: string; cents: number } = request.body;
  const run = await db.transaction(async (tx) => {
    await tx.insert(orders).values(order).onConflictDoNothing();
    return handrail.start(payOrder, order, { tx, idempotencyKey: `order:${order.id}` });
  });
  handrail.wake();
  response.status(201).json({ runId: run.id });
});

app.get("/orders/:id", async (request, response) => {
  const [order] = await db.select().from(orders).where(eq(orders.id, request.params.id));
  if (order) response.json(order);
  else response.status(404).end();
});

const server = app.listen(Number(process.env.PORT ?? 3000));
process.once("SIGTERM", async () => {
  server.close();
  await handrail.close();
  await pool.end();
});
