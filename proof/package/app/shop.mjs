/**
 * An app that is upgraded while it works. `worker` stays until TERM; `start FROM TO` starts these orders. SHOP_VERSION 2
 * has the workflow of version 1 as well, for the runs that have begun with it.
 */
import { setTimeout } from "node:timers/promises";
import { createHandrail, defineWorkflow } from "handrail";
import { pgTransactions } from "handrail/pg";
import pg from "pg";
import { z } from "zod";

const [mode, from, to] = process.argv.slice(2);
const newest = Number(process.env.SHOP_VERSION);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
pool.on("connect", (client) => client.on("error", () => undefined));

const order = (version) =>
  defineWorkflow({ name: "order", version, input: z.object({ id: z.number() }) }, async (ctx, { id }) => {
    await ctx.transaction("place", async (tx) => {
      await tx.query("insert into placed values ($1, $2)", [id, version]);
    });
    await ctx.sleep("stock", 200 * (id % 20));
    await ctx.step("charge", async ({ idempotencyKey }) => {
      await pool.query("insert into charged values ($1, $2)", [id, idempotencyKey]);
      await setTimeout(300);
    });
    await ctx.transaction("pay", async (tx) => {
      await tx.query("insert into paid values ($1, $2)", [id, version]);
    });
  });

const workflows = newest === 2 ? [order(1), order(2)] : [order(1)];
const handrail = createHandrail({ workflows, transactions: pgTransactions(pool), name: `shop ${newest}` });

async function close() {
  await handrail.close();
  await pool.end();
}

if (mode === "worker") {
  process.once("SIGTERM", close);
  await handrail.worker({ concurrency: 10 }).start();
} else {
  for (let id = Number(from); id < Number(to); id++)
    await handrail.start(workflows.at(-1), { id }, { idempotencyKey: `order:${id}` });
  await close();
}
