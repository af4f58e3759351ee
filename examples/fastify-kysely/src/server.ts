import fastify from "fastify";
import { createHandrail } from "handrail";
import { fastifyPlugin } from "handrail/fastify";
import config from "../handrail.config";
import { db } from "./db";
import { payOrder } from "./order";

const handrail = createHandrail(config);
await handrail.worker().start();

const app = fastify();
// For other programs, with tokens made in the console.
app.register(fastifyPlugin(handrail), { prefix: "/handrail" });

app.post<{ Body: { id: string; cents: number } }>("/orders", async ({ body: order }, reply) => {
  const run = await db.transaction().execute(async (tx) => {
    await tx
      .insertInto("orders")
      .values({ ...order, charge_id: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return handrail.start(payOrder, order, { tx, idempotencyKey: `order:${order.id}` });
  });
  handrail.wake();
  return reply.code(201).send({ runId: run.id });
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
  await handrail.close();
  await db.destroy();
});
