import { type Context, Hono } from "hono";
import { z } from "zod";
import { Ledger } from "./ledger";
import { check, Refusal, readJson } from "./refusal";
import { type Http, settled, troubled, type World } from "./trouble";

const chargeBody = z.object({
  orderId: z.string().min(1).max(200),
  amountCents: z.int().positive(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "three capitals, as in ISO 4217")
    .default("EUR"),
});
const refundBody = z.object({ chargeId: z.string().min(1).max(200) });
const keySchema = z.string().min(1).max(255);
const keyHeader = z.object({ "Idempotency-Key": keySchema });
const keyQuery = z.object({ idempotencyKey: keySchema });

/** The payment gateway. Its ledger answers even while the gateway is down: observers use it. */
export async function openPayments(world: World) {
  const ledger = await Ledger.open(world.journals);
  return new Hono<Http>()
    .use("/charges", troubled(world, "payments", "charges"))
    .use("/refunds", troubled(world, "payments", "refunds"))
    .use(settled(ledger.journal))
    .get("/ledger", (c) => c.json(ledger.all()))
    .post("/charges", async (c) => {
      const { charge, created } = ledger.charge(keyOf(c), await readJson(c, chargeBody));
      return c.json(charge, created ? 201 : 200);
    })
    .get("/charges", (c) => c.json(found(ledger.findCharge(askedKeyOf(c)), "charge")))
    .post("/refunds", async (c) => {
      const { chargeId } = await readJson(c, refundBody);
      const { refund, created } = ledger.refund(keyOf(c), chargeId);
      return c.json(refund, created ? 201 : 200);
    })
    .get("/refunds", (c) => c.json(found(ledger.findRefund(askedKeyOf(c)), "refund")));
}

function keyOf(c: Context): string {
  return check(keyHeader, { "Idempotency-Key": c.req.header("Idempotency-Key") })["Idempotency-Key"];
}

function askedKeyOf(c: Context): string {
  return check(keyQuery, c.req.query()).idempotencyKey;
}

function found<T>(thing: T | undefined, noun: string): T {
  if (thing === undefined) throw new Refusal("not_found", `no ${noun} was made with this key`);
  return thing;
}
