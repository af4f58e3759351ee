import type { Pool } from "pg";
import type { Promised } from "../../lib/store/database/doctor-rules";
import type { History } from "../../lib/testing/database/history";
import { REMINDER_AFTER_SECONDS } from "./load";
import type { GivenRun } from "./stage";
import type { World } from "./world";

export interface Evidence {
  run: GivenRun;
  history: History;
  /** When its claims were lost. */
  lostAt: Date[];
  world: World;
  pool: Pool;
}
export type Broken = [Promised, string][];
type Step = History["steps"][number];

const standing = ({ steps }: History, name: string) =>
  steps.find((step) => step.name === name && step.superseded_by === null);
export const isDone = (step: Step | undefined) => step?.status === "completed";
const isUndone = ({ compensations }: History, name: string) =>
  compensations.some((undo) => undo.step === name && undo.status === "completed");

export const expectThat = (holds: boolean, promise: Promised, what: string): Broken => (holds ? [] : [[promise, what]]);

/**
 * A body is on record, or its worker was lost during it: `bodies` of a step may be no more than its attempts plus the
 * claims that were lost before it had its outcome. One more means that a body ran unrecorded, or after its outcome was
 * recorded.
 */
export function noBodyUnrecorded({ history, lostAt }: Evidence, name: string, bodies: number): Broken {
  const { attempts, steps } = history;
  const rows = steps.filter((step) => step.name === name);
  const recorded = rows.reduce((sum, step) => {
    const numbers = attempts.filter((one) => one.step === name && one.generation === step.generation);
    return sum + Math.max(step.attempt, ...numbers.map((one) => one.number));
  }, 0);
  const last = rows.find((step) => step.superseded_by === null)?.finished_at ?? null;
  const lost = lostAt.filter((at) => last === null || at <= last).length;
  return expectThat(
    bodies <= recorded + lost,
    last === null ? "P3" : "P4",
    `step "${name}" ran ${bodies} times; on record are ${recorded} attempts and ${lost} lost claims before its outcome`,
  );
}

function charged(evidence: Evidence, name: string, orderId: string): Broken {
  const { history, world } = evidence;
  const step = standing(history, name);
  const charges = world.charges.filter((charge) => charge.orderId === orderId);
  const output = step?.output as { id?: string } | null;
  return [
    ...expectThat(charges.length <= 1, "P3", `${orderId} was charged ${charges.length} times`),
    ...expectThat(
      !isDone(step) || charges[0]?.id === output?.id,
      "P3",
      `${orderId} is called charged, and the gateway has ${charges[0]?.id ?? "nothing"}`,
    ),
    ...noBodyUnrecorded(evidence, name, charges[0]?.requests ?? 0),
  ];
}

/** A `once` step that is done sent its mail, and none was sent twice. */
function mailed({ history, world }: Evidence, name: string): Broken {
  const step = standing(history, name);
  const tail = `${history.run.id}-${name}-`;
  const sent = world.messages.filter(({ messageId }) => messageId?.includes(tail)).length;
  return [
    ...expectThat(sent <= 1, "P3", `the mail of "${name}" was sent ${sent} times`),
    ...expectThat(!isDone(step) || sent === 1, "P3", `"${name}" is called done, and ${sent} mails were sent`),
  ];
}

async function count(pool: Pool, text: string, value: unknown): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(`select count(*)::int as count from ${text}`, [value]);
  return rows[0]?.count ?? 0;
}

async function ofOrder(evidence: Evidence): Promise<Broken> {
  const { history, world, pool } = evidence;
  const { orderId } = evidence.run.input as { orderId: string };
  const orders = await count(pool, `demo."order" where id = $1`, orderId);
  const reserved = await count(pool, "demo.stock_reservation where order_id = $1", orderId);
  const cancelled = await count(pool, `demo."order" where status = 'cancelled' and id = $1`, orderId);
  const reservedShould = isDone(standing(history, "reserve-stock")) && !isUndone(history, "reserve-stock");
  const refunds = world.charges
    .filter((charge) => charge.orderId === orderId)
    .map((charge) => world.refunds.filter(({ chargeId }) => chargeId === charge.id).length);
  return [
    ...charged(evidence, "charge-payment", orderId),
    ...mailed(evidence, "send-confirmation"),
    ...expectThat(orders === Number(isDone(standing(history, "create-order"))), "P2", `${orders} orders ${orderId}`),
    ...expectThat(reserved === Number(reservedShould), "P2", `${reserved} reservations for ${orderId}`),
    ...expectThat(
      cancelled === Number(isUndone(history, "create-order")),
      "P2",
      `order ${orderId}: undo and row differ`,
    ),
    ...expectThat(
      !isUndone(history, "charge-payment") || refunds.every((times) => times === 1),
      "P10",
      `the refund of ${orderId} is called done and was made ${refunds} times`,
    ),
  ];
}

async function ofImage(evidence: Evidence): Promise<Broken> {
  const { run, history, world, pool } = evidence;
  const { userId } = run.input as { userId: string };
  const [row] = (
    await pool.query<{ image_key: string }>("select image_key from demo.profile where user_id = $1", [userId])
  ).rows;
  const key = `profiles/${run.id}.png`;
  const writes = world.blobs.get(key)?.writes ?? 0;
  return [
    ...expectThat(
      (row?.image_key === key) === isDone(standing(history, "refer-to-image")),
      "P2",
      "profile and checkpoint differ",
    ),
    ...expectThat(
      !isDone(standing(history, "store-image")) || writes > 0,
      "P3",
      "the image is called stored and is not there",
    ),
    ...noBodyUnrecorded(evidence, "store-image", writes),
  ];
}

async function ofCredit({ run, history, pool }: Evidence): Promise<Broken> {
  const entries = await count(pool, "demo.account_entry where run_id = $1", run.id);
  const done = isDone(standing(history, "credit-account"));
  return expectThat(entries === Number(done), "P2", `${entries} entries, and the step is ${done ? "" : "not "}done`);
}

async function ofReminder(evidence: Evidence): Promise<Broken> {
  const { run, history, world } = evidence;
  const at = (name: string) => {
    const found = world.messages.find(({ messageId }) => messageId?.includes(`${run.id}-${name}-`));
    return found && Date.parse(found.receivedAt);
  };
  const [welcome, reminder] = [at("send-welcome"), at("send-reminder")];
  const early = welcome !== undefined && reminder !== undefined && reminder - welcome < REMINDER_AFTER_SECONDS * 1_000;
  return [
    ...mailed(evidence, "send-welcome"),
    ...mailed(evidence, "send-reminder"),
    ...expectThat(!early, "P7", "the reminder came before its time"),
    ...expectThat(reminder === undefined || isDone(standing(history, "wait")), "P7", "a reminder without its wait"),
  ];
}

async function ofSync({ history, pool }: Evidence): Promise<Broken> {
  const steps = history.steps.filter(({ name, status }) => name.startsWith("sync-user:") && status === "completed");
  const ids = steps.map(({ name }) => name.slice("sync-user:".length));
  const there = await count(pool, "demo.synced_user where id = any($1)", ids);
  return expectThat(there === ids.length, "P2", `${ids.length} users are called synced, ${there} are`);
}

async function ofRefund({ run, history, pool }: Evidence): Promise<Broken> {
  const entries = await count(pool, "demo.account_entry where run_id = $1", run.id);
  const taken = await count(pool, "handrail.event where taken_by = $1 and name = 'parcel.returned'", run.id);
  const done = isDone(standing(history, "credit-account"));
  return [
    ...expectThat(entries === Number(done), "P2", `${entries} entries, and the step is ${done ? "" : "not "}done`),
    ...expectThat(!done || taken === 1, "P8", `the refund was paid for ${taken} parcels`),
  ];
}

async function ofBatch({ run, history, pool }: Evidence): Promise<Broken> {
  const children = await count(pool, "handrail.run where parent_run_id = $1", run.id);
  const { orders } = run.input as { orders: object[] };
  const isOver = history.run.status === "completed";
  return expectThat(!isOver || children === orders.length, "P1", `${children} children for ${orders.length} orders`);
}

/** By workflow: what its effects must look like beside its rows. */
export const EFFECT_CHECKS: Record<string, (evidence: Evidence) => Promise<Broken>> = {
  "order-fulfilment": ofOrder,
  "profile-image": ofImage,
  "account-credit": ofCredit,
  "order-batch": async (evidence) =>
    (evidence.run.input as { orderIds: string[] }).orderIds.flatMap((id) => charged(evidence, `charge:${id}`, id)),
  "welcome-reminder": ofReminder,
  "user-sync": ofSync,
  "refund-request": ofRefund,
  "batch-fulfilment": ofBatch,
};
