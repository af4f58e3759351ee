import { serve } from "@hono/node-server";
import { createHandrail } from "handrail";
import { honoHandler } from "handrail/hono";
import { Hono } from "hono";
import config from "../handrail.config";
import { pool } from "./db";
import { payOrder } from "./order";

const handrail = createHandrail(config);
await handrail.worker().start();

const app = new Hono();
// For other programs, with tokens made in the console.
app.all("/handrail/*", honoHandler(handrail));

app.post("/orders", async (c) => {
  const order: { id: string; cents: number } = await c.req.json();
  const tx = await pool.connect();
  try {
    await tx.query("begin");
    await tx.query("insert into orders values ($1, $2) on conflict do nothing", [order.id, order.cents]);
    const run = await handrail.start(payOrder, order, { tx, idempotencyKey: `order:${order.id}` });
    await tx.query("commit");
    handrail.wake();
    return c.json({ runId: run.id }, 201);
  } catch (error) {
    await tx.query("rollback");
    throw error;
  } finally {
    tx.release();
  }
});

app.get("/orders/:id", async (c) => {
  const { rows } = await pool.query('select id, cents, charge_id as "chargeId" from orders where id = $1', [
    c.req.param("id"),
  ]);
  return rows[0] ? c.json(rows[0]) : c.notFound();
});

const server = serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });
process.once("SIGTERM", async () => {
  server.close();
  await handrail.close();
  await pool.end();
});
