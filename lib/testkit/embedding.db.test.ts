import type { Pool } from "pg";
import { expect, it } from "vitest";
import { orderFulfilment } from "../../demo/workflows/order-fulfilment/order-fulfilment";
import { prepareStart } from "../engine/runs/start";
import { clientDb, inTransaction } from "../store/db";
import { insertRunOnce } from "../store/runs/start-run";
import { registerWorkflows } from "../store/workers/workers";
import { blocksOf, fileText, snippetsOf } from "../testing/doc-snippets";
import { anEngine } from "../testing/workers/engine";

// --- what docs/embedding.md shows

async function placeOrder(pool: Pool, order: { orderId: string; amountCents: number; email: string }): Promise<string> {
  const start = await prepareStart(orderFulfilment, order, { idempotencyKey: `order:${order.orderId}` });
  return inTransaction(pool, async (client) => {
    await client.query("insert into app_order (id, total) values ($1, $2)", [order.orderId, order.amountCents]);
    return (await insertRunOnce(clientDb(client), start)).id;
  });
}

// --- the rest

const engine = anEngine();
const order = { orderId: "A-1", amountCents: 100, email: "ada@example.com" };
const runs = () => engine.rows<{ id: string; idempotency_key: string }>("select id, idempotency_key from handrail.run");

it("an order and its run exist together, or not at all", async () => {
  await engine.database.pool.query("create table app_order (id text primary key, total int)");
  const runId = await placeOrder(engine.database.pool, order);
  await expect(placeOrder(engine.database.pool, order)).rejects.toThrow(/duplicate key/);
  expect(await runs()).toEqual([{ id: runId, idempotency_key: "order:A-1" }]);
});

it("SQL starts a run in the transaction of the app's rows", async () => {
  await registerWorkflows(engine.db, [orderFulfilment]);
  const [sql = ""] = blocksOf("embedding.md", "sql");
  const client = await engine.database.pool.connect();
  await client.query(sql);
  expect(await runs()).toHaveLength(2);
  await expect(client.query(sql)).rejects.toThrow(/duplicate key/);
  await client.query("rollback");
  client.release();
  expect(await runs()).toHaveLength(2);
});

it("this file has every snippet of the page", () => {
  const [snippet = "", ...more] = snippetsOf("embedding.md");
  expect(more).toEqual([]);
  expect(fileText(import.meta.url)).toContain(snippet);
});
