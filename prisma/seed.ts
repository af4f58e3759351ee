import { setTimeout as delay } from "node:timers/promises";
import { prepareStart } from "../lib/engine/start";
import { readEnv } from "../lib/env";
import { compensate } from "../lib/operator/compensate";
import { poolDb } from "../lib/store/db";
import { Notifier } from "../lib/store/notifier";
import { createPool } from "../lib/store/pools";
import { insertRunOnce } from "../lib/store/start-run";
import { workflows } from "../workflows/index";

/*
 * The demo's first morning, made by the real engine against the real sandbox: a quiet hour, a refund that failed, and an
 * outage of the payment gateway that is still on. Every run has an idempotency key, so a second start adds nothing.
 */

const env = readEnv();
if (!env.databaseUrl) throw new Error("The seed needs DATABASE_URL. `npm run demo` sets it.");
const pool = createPool({
  databaseUrl: env.databaseUrl,
  name: "handrail seed",
  max: 4,
  statementTimeoutMs: 10_000,
  idleInTransactionMs: 10_000,
});
const db = poolDb(pool);
const notifier = new Notifier(db);
const desk = { db, notifier, actor: "demo", request: null };

/** Enough for four attempts with their delays, on a busy machine. */
const PATIENCE_MS = 60_000;

async function start(name: string, key: string, input: unknown): Promise<{ id: string; created: boolean }> {
  const workflow = workflows.find((candidate) => candidate.name === name);
  if (!workflow) throw new Error(`There is no workflow "${name}".`);
  const started = await insertRunOnce(db, await prepareStart(workflow, input, { idempotencyKey: `demo:${key}` }));
  notifier.work();
  return started;
}

async function order(number: number, amountCents: number): Promise<string> {
  const orderId = `A-${number}`;
  const { id } = await start("order-fulfilment", orderId, {
    orderId,
    amountCents,
    email: `customer-${number}@shop.example`,
  });
  return id;
}

async function put(path: string, body: unknown): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${env.sandboxUrl}${path}`, { method: "PUT", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`The sandbox answered ${response.status} to PUT ${path}.`);
}

/** Waits until every one of the runs has come to one of the statuses. */
async function until(ids: string[], statuses: string[]): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(100)) {
    const { rows } = await pool.query<{ left: number }>(
      `select count(*)::int as left from handrail.run where id = any ($1::uuid[]) and status <> all ($2::text[])`,
      [ids, statuses],
    );
    if (rows[0]?.left === 0) return;
  }
  throw new Error(`The demo's runs did not come to ${statuses.join(" or ")} in time.`);
}

async function quietHour(): Promise<void> {
  const ids: string[] = [];
  for (let number = 20_371; number < 20_387; number++) ids.push(await order(number, 1_900 + (number % 7) * 1_250));
  for (const account of ["acc-12", "acc-77", "acc-81"])
    ids.push((await start("account-credit", `${account}:1`, { accountId: account, amountCents: 5_000 })).id);
  ids.push((await start("profile-image", "user-5521", { userId: "user-5521", image: PIXEL })).id);
  ids.push((await start("user-sync", "nightly", {})).id);
  const orderIds = Array.from({ length: 12 }, (_, index) => `B-118-${String(index + 1).padStart(2, "0")}`);
  ids.push((await start("order-batch", "batch-118", { orderIds })).id);
  await until(ids, ["completed"]);
  const asleep = await start("welcome-reminder", "newcomer", { email: "newcomer@shop.example", delaySeconds: 86_400 });
  const refund = await start("refund-request", "A-20377", {
    accountId: "acc-77",
    orderId: "A-20377",
    parcelId: "P-5513",
    amountCents: 9_400,
    reason: "The jacket is two sizes too small.",
  });
  const parcel = await start("refund-request", "A-20380", {
    accountId: "acc-12",
    orderId: "A-20380",
    parcelId: "P-5520",
    amountCents: 2_400,
    reason: "It came in the wrong colour.",
  });
  await until([asleep.id, refund.id, parcel.id], ["waiting"]);
}

/** An order whose mail could not be sent is undone by hand; its refund does not go through. */
async function failedRefund(): Promise<void> {
  await put("/mail/faults", { mode: "down" });
  const id = await order(20_388, 8_490);
  await until([id], ["failed"]);
  await put("/payments/faults", { mode: "down", only: "refunds" });
  await compensate(desk, { runId: id, reason: "The customer asked for their money back" });
  await untilAttention(id, "compensation_owed");
  await put("/mail/faults", { mode: "none" });
}

async function untilAttention(id: string, attention: string): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(100)) {
    const { rows } = await pool.query(`select from handrail.run where id = $1 and attention = $2`, [id, attention]);
    if (rows.length > 0) return;
  }
  throw new Error(`The demo's run ${id} did not come to ask for a person (${attention}) in time.`);
}

/** The last answer that the gateway gave before it went down was lost on its way. */
async function outage(): Promise<void> {
  await put("/payments/faults", { mode: "lose-answer", only: "charges", times: 1 });
  const unknown = await order(20_409, 8_490);
  await untilCharged("A-20409");
  await put("/payments/faults", { mode: "down" });
  const ids: string[] = [];
  for (let number = 20_410; number < 20_434; number++) ids.push(await order(number, 2_900 + (number % 5) * 1_000));
  await until(ids, ["failed"]);
  await untilAttention(unknown, "outcome_unknown");
}

async function untilCharged(orderId: string): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(20)) {
    const ledger = (await (await fetch(`${env.sandboxUrl}/payments/ledger`)).json()) as {
      charges: { orderId: string }[];
    };
    if (ledger.charges.some((charge) => charge.orderId === orderId)) return;
  }
  throw new Error(`The demo's order ${orderId} was not charged in time.`);
}

/** A 1 × 1 PNG. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const { rows } = await pool.query(`select from handrail.run where idempotency_key = 'demo:A-20433'`);
if (rows.length === 0 && env.worker === "on") {
  await put("/payments/faults", { mode: "none" });
  await put("/mail/faults", { mode: "none" });
  await quietHour();
  await failedRefund();
  await outage();
}
await notifier.close();
await pool.end();
