import { setTimeout as delay } from "node:timers/promises";
import { loadAuditKeys } from "../lib/audit-keys";
import { systemCaller } from "../lib/engine/audit/audit";
import type { EventOptions } from "../lib/engine/events/event";
import { prepareEvent } from "../lib/engine/events/prepare-event";
import { prepareStart } from "../lib/engine/runs/start";
import { codeHere } from "../lib/engine/workflows/workflow-code";
import { readEnv } from "../lib/env";
import { carryOut } from "../lib/operator/actions/command";
import { markDeploy } from "../lib/operator/deploys/deploys";
import { addDestination } from "../lib/operator/notices/destinations";
import { fireNow } from "../lib/operator/schedules/schedules";
import { Notifier } from "../lib/store/database/notifier";
import { createPool } from "../lib/store/database/pools";
import { poolDb } from "../lib/store/db";
import { sendEvent } from "../lib/store/events/send-event";
import { insertRunOnce } from "../lib/store/runs/start-run";
import { inSchema, setSchema } from "../lib/store/schema";
import { deliveryLetterV1 } from "./workflows/delivery-letter/delivery-letter-v1";
import { workflows } from "./workflows/index";

/*
 * The demo's first morning, made by the real engine against the real sandbox: a quiet hour, a refund that failed, and an
 * outage of the payment gateway that is still on. Every run has an idempotency key, so a second start adds nothing.
 */

const env = readEnv();
setSchema(env.schema);
if (!env.databaseUrl) throw new Error("The seed needs DATABASE_URL. `npm run demo` sets it.");
const pool = createPool({
  databaseUrl: env.databaseUrl,
  name: "handrail seed",
  max: 4,
  statementTimeoutMs: 10_000,
  idleInTransactionMs: 10_000,
});
const db = poolDb(pool);
const ask = async (text: string, values: unknown[] = []) => (await pool.query(inSchema(text), values)).rows;
const notifier = new Notifier(db);
const desk = { db, notifier, auditKeys: loadAuditKeys(env), by: systemCaller("demo"), request: null };

/** Trouble is notified: by mail to the sandbox's mailbox, and by webhooks to its receiver. */
const ON_CALL = "oncall@operators.example";

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

async function credit(place: number, accountId: string): Promise<string> {
  const { id } = await start("account-credit", `${accountId}:${place}`, {
    accountId,
    amountCents: 5_000 + place * 750,
  });
  return id;
}

async function put(path: string, body: unknown): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${env.sandboxUrl}${path}`, { method: "PUT", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`The sandbox answered ${response.status} to PUT ${path}.`);
}

async function until(what: string, holds: () => Promise<boolean>, everyMs = 100): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(everyMs))
    if (await holds()) return;
  throw new Error(`The demo did not come to this in time: ${what}.`);
}

const untilAll = (ids: string[], status: string) =>
  until(`its runs are ${status}`, async () => {
    const rows = await ask("select from handrail.run where id = any ($1::uuid[]) and status <> $2 limit 1", [
      ids,
      status,
    ]);
    return rows.length === 0;
  });

const untilAttention = (id: string, attention: string) =>
  until(`run ${id} asks for a person (${attention})`, async () => {
    const rows = await ask("select from handrail.run where id = $1 and attention = $2", [id, attention]);
    return rows.length > 0;
  });

/** What the sandbox's services hand out, as their consoles would. */
interface OnCall {
  kind: "slack" | "pagerduty";
  name: string;
  token: string;
  channel: string | null;
}

async function onCall(): Promise<void> {
  const rows = await ask("select from handrail.destination limit 1");
  if (rows.length > 0) return;
  const setUp = { internal: env.internalReceivers, mail: env.mail !== null };
  const alerts = ["alert.fired", "alert.acknowledged", "alert.resolved"];
  const events = ["problem.opened", "problem.came_back", "compensation.failed", "operation.paused", ...alerts];
  const shared = { name: "On call", url: null, addresses: [ON_CALL], events, workflows: null, perMinute: 5 };
  await addDestination(desk, setUp, { kind: "email", ...shared, reason: "The person on call reads mail" });
  const hook = { ...shared, name: "Sandbox receiver", url: `${env.sandboxUrl}/webhooks`, addresses: null };
  const { secret } = await addDestination(desk, setUp, { kind: "webhook", ...hook, reason: "To see what is sent" });
  await put("/webhooks/secret", { secret });
  const service = { ...shared, addresses: null, reason: "As a team that is on call" };
  for (const { kind, ...more } of (await (await fetch(`${env.sandboxUrl}/on-call/set-up`)).json()) as OnCall[])
    await addDestination(desk, setUp, { ...service, kind, ...more, url: `${env.sandboxUrl}/on-call/${kind}` });
}

async function quietHour(): Promise<void> {
  const ids: string[] = [];
  for (let number = 20_371; number < 20_387; number++) ids.push(await order(number, 1_900 + (number % 7) * 1_250));
  for (const account of ["acc-12", "acc-77", "acc-81", "acc-77", "acc-77"].entries())
    ids.push(await credit(...account));
  ids.push((await start("profile-image", "user-5521", { userId: "user-5521", image: PIXEL })).id);
  const orderIds = Array.from({ length: 12 }, (_, index) => `B-118-${String(index + 1).padStart(2, "0")}`);
  ids.push((await start("order-batch", "batch-118", { orderIds })).id);
  await untilAll(ids, "completed");
  await statements("acc-77");
  const nightly = await firedByHand("nightly-user-sync");
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
  await untilAll([asleep.id, refund.id, parcel.id], "waiting");
  await untilAll(nightly, "completed");
  // Nobody waits for it, and the courier says it twice.
  for (let time = 1; time <= 2; time++)
    await send("parcel.handed-in", { parcelId: "P-5520", office: "Leipzig 12" }, { runId: parcel.id, id: "scan-8841" });
}

async function send(name: string, payload: unknown, options: EventOptions): Promise<void> {
  await sendEvent(db, await prepareEvent(name, payload, options));
  notifier.work();
}

/** Once; gives the run, unless an earlier seed that was cut short has fired it. */
async function firedByHand(name: string): Promise<string[]> {
  const rows = await ask("select from handrail.firing where schedule = $1 limit 1", [name]);
  if (rows.length > 0) return [];
  return (await fireNow(desk, codeHere(workflows), { name, reason: "The directory is new" })).runIds;
}

/** An account may have one a day: the first is made, the second stands in its queue until tomorrow. */
async function statements(accountId: string): Promise<void> {
  for (const id of ["first", "second"])
    await send("statement.asked", { accountId }, { key: accountId, id: `demo-${accountId}-${id}` });
}

/** A run that version 1 of its workflow has failed, and that version 2 could finish. */
async function olderVersion(): Promise<void> {
  const input = { orderId: "A-20376", email: "customer-20376@shop.example", postcode: "SW1A 1AA" };
  const { id } = await insertRunOnce(
    db,
    await prepareStart(deliveryLetterV1, input, { idempotencyKey: "demo:letter" }),
  );
  notifier.work();
  await untilAll([id], "failed");
}

/** An order whose mail could not be sent is undone by hand; its refund does not go through. */
async function failedRefund(): Promise<void> {
  await put("/mail/faults", { mode: "down" });
  const id = await order(20_388, 8_490);
  await untilAll([id], "failed");
  await put("/payments/faults", { mode: "down", only: "refunds" });
  const reason = "The customer asked for their money back";
  const known = { ...desk, code: codeHere([]) };
  await carryOut(known, { act: "compensate", runId: id, params: {}, reason });
  await untilAttention(id, "compensation_owed");
  await put("/mail/faults", { mode: "none" });
}

/** The last answer that the gateway gave before it went down was lost on its way. */
async function outage(): Promise<void> {
  await deploys();
  await put("/payments/faults", { mode: "lose-answer", only: "charges", times: 1 });
  const unknown = await order(20_409, 8_490);
  await untilCharged("A-20409");
  await put("/payments/faults", { mode: "down" });
  const root = await campaign("autumn");
  const ids: string[] = [];
  for (let number = 20_410; number < 20_434; number++) ids.push(await order(number, 2_900 + (number % 5) * 1_000));
  await untilAll(ids, "failed");
  await untilGrandchildren(root, 3, "failed");
  await untilAttention(unknown, "outcome_unknown");
}

/** A pipeline marked them: one of yesterday, and one shortly before the trouble. */
async function deploys(): Promise<void> {
  const mark = (version: string, commit: string, minutesAgo: number) => {
    const [at, url] = [new Date(Date.now() - minutesAgo * 60_000), `https://ci.shop.example/deploys/${version}`];
    return markDeploy(desk, { version, commit, url, at, reason: "The pipeline deployed the shop" });
  };
  await mark("2.6.3", "4b1d07ae55c20f9be61d1c3a8f0e5d7b9a2c4e68", 26 * 60);
  await mark("2.7.0", "9f3c2d1e7a40b85cd2e913f6470a8b5c1d3e9f02", 4);
}

/** Two batches of orders that fail like all others: a tree of three levels, whose root says where to begin. */
async function campaign(campaignId: string): Promise<string> {
  const batches = ["north", "south"].map((region, place) => ({
    batchId: `${campaignId}-${region}`,
    orders: Array.from({ length: 2 - place }, (_, index) => {
      const orderId = `C-${place + 1}0${index + 1}`;
      return { orderId, amountCents: 6_900, email: `${orderId.toLowerCase()}@shop.example` };
    }),
  }));
  return (await start("campaign-launch", campaignId, { campaignId, batches })).id;
}

const untilGrandchildren = (id: string, count: number, status: string) =>
  until(`${count} runs below ${id} are ${status}`, async () => {
    const rows = await ask(
      `select from handrail.run as child join handrail.run on run.parent_run_id = child.id
      where child.parent_run_id = $1 and run.status = $2`,
      [id, status],
    );
    return rows.length === count;
  });

const untilCharged = (orderId: string) =>
  until(
    `order ${orderId} is charged`,
    async () => {
      const ledger = (await (await fetch(`${env.sandboxUrl}/payments/ledger`)).json()) as {
        charges: { orderId: string }[];
      };
      return ledger.charges.some((charge) => charge.orderId === orderId);
    },
    20,
  );

/** A 1 × 1 PNG. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const rows = await ask(`select from handrail.run where idempotency_key = 'demo:A-20433'`);
if (rows.length === 0 && env.worker === "on") {
  await put("/payments/faults", { mode: "none" });
  await put("/mail/faults", { mode: "none" });
  await onCall();
  await quietHour();
  await olderVersion();
  await failedRefund();
  await outage();
}
await notifier.close();
await pool.end();
