import type { DeliveryStatus } from "../../engine/notices/delivery-status";
import type { NoticeEvent } from "../../engine/notices/notice";
import type { Db, Statement } from "../db";
import { newPlanId } from "../run-id";
import { ADDRESS_COLUMNS, type Address, type AddressRow, addressOf } from "./destinations";
import { dueIncidents, followIncident } from "./incidents";

/** A destination with the facts needed to hand over. */
export interface OpenDestination {
  id: string;
  kind: string;
  events: string[];
  workflows: string[] | null;
  per_minute: number;
  /** Messages that it got in the last minute. */
  sent: number;
  /** Its open message, which collects more events. */
  gathering: string | null;
  created_at: Date;
}

const openStatement: Statement = {
  name: "open-destinations",
  text: `
    select id, kind, events, workflows, per_minute, created_at, (
        select count(*)::int from handrail.delivery where destination_id = destination.id and status <> 'gathering'
          and created_at > (select clock_timestamp()) - interval '1 minute') as sent,
      (select delivery.id::text from handrail.delivery where destination_id = destination.id and status = 'gathering') as gathering
    from handrail.destination where enabled order by id`,
};

export const openDestinations = (tx: Db): Promise<OpenDestination[]> => tx.query(openStatement, []);

interface NewDelivery {
  id: string;
  destinationId: string;
  /** The first few. */
  events: readonly NoticeEvent[];
  count: number;
  /** The run that delivers it. */
  runId: string;
}

const insertStatement: Statement = {
  name: "insert-delivery",
  text: `
    insert into handrail.delivery (id, destination_id, status, events, event_count, run_id)
    values ($1::uuid, $2::uuid, 'sending', $3::jsonb, $4::int, $5::uuid)`,
};

export async function insertDelivery(tx: Db, { id, destinationId, events, count, runId }: NewDelivery): Promise<void> {
  await tx.query(insertStatement, [id, destinationId, JSON.stringify(events), count, runId]);
}

const gatherStatement: Statement = {
  name: "gather-delivery",
  text: `
    insert into handrail.delivery (id, destination_id, status, events, event_count, due_at)
    values ($1::uuid, $2::uuid, 'gathering', $3::jsonb, $4::int, clock_timestamp() + $5::float8 * interval '1 ms')
    on conflict (destination_id) where status = 'gathering' do update set
      events = case when jsonb_array_length(delivery.events) >= $6::int then delivery.events
        else jsonb_path_query_array(delivery.events || excluded.events, ('$[0 to ' || ($6::int - 1) || ']')::jsonpath) end,
      event_count = delivery.event_count + excluded.event_count`,
};

/**
 * Held for `ms`, or added to what is held for the destination already. `shown`: how many events are kept one by one.
 */
export async function gatherDelivery(
  tx: Db,
  { id, destinationId, events, count }: Omit<NewDelivery, "runId">,
  { ms, shown }: { ms: number; shown: number },
): Promise<void> {
  await tx.query(gatherStatement, [id, destinationId, JSON.stringify(events), count, ms, shown]);
}

const dueStatement: Statement = {
  name: "due-gathered-deliveries",
  text: `
    select id::text from handrail.delivery where status = 'gathering' and due_at <= (select clock_timestamp())
    order by due_at limit 100 for update`,
};

/** Whose hold has expired, and messages that go on about incidents; locked. */
export async function dueGathered(tx: Db): Promise<{ id: string }[]> {
  const due = await tx.query<{ id: string }>(dueStatement, []);
  for (const incident of await dueIncidents(tx)) {
    const id = newPlanId();
    await followIncident(tx, incident, id);
    due.push({ id });
  }
  return due;
}

// A message about an incident is never held: it is made here, of the event that opened the incident.
const sendStatement: Statement = {
  name: "send-gathered-delivery",
  text: `
    with gathered as (
      update handrail.delivery set status = 'sending', due_at = null, run_id = $2::uuid, created_at = clock_timestamp()
      where id = $1::uuid returning id
    )
    insert into handrail.delivery (id, destination_id, status, events, event_count, run_id, incident)
    select $1::uuid, destination_id, 'sending', jsonb_build_array(event || jsonb_build_object('state', state,
      'at', to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), 1, $2::uuid, key
    from handrail.incident where delivery_id = $1::uuid and not exists (select from gathered)`,
};

export async function sendGathered(tx: Db, id: string, runId: string): Promise<void> {
  await tx.query(sendStatement, [id, runId]);
}

interface LockedDelivery {
  id: string;
  status: DeliveryStatus;
  round: number;
  attempts: number;
  /** Attempts of this round. */
  of_round: number;
  events: NoticeEvent[];
  event_count: number;
  body: string | null;
  /** The key of the incident that it goes on about. */
  incident: string | null;
  enabled: boolean;
  address: Address;
}

const lockStatement: Statement = {
  name: "lock-delivery",
  text: `
    select delivery.id::text as delivery_id, delivery.status, delivery.round, delivery.attempts, delivery.events,
      delivery.event_count, delivery.body, delivery.incident, destination.enabled, (
        select count(*)::int from handrail.delivery_attempt where delivery_id = delivery.id and round = delivery.round) as of_round,
      ${ADDRESS_COLUMNS}
    from handrail.delivery join handrail.destination on destination.id = delivery.destination_id
    where delivery.id = $1::uuid for no key update of delivery`,
};

type LockedRow = Omit<LockedDelivery, "id" | "address"> & AddressRow & { delivery_id: string };

/** Undefined: it was deleted with its destination. @throws HandrailError `payload_locked` */
export async function lockDelivery(tx: Db, deliveryId: string): Promise<LockedDelivery | undefined> {
  const [row] = await tx.query<LockedRow>(lockStatement, [deliveryId]);
  if (!row) return undefined;
  const { delivery_id, status, round, attempts, of_round, events, event_count, body, incident, enabled, ...rest } = row;
  const known = { status, round, attempts, of_round, events, event_count, body, incident, enabled };
  return { id: delivery_id, ...known, address: addressOf(rest) };
}

const beginStatement: Statement = {
  name: "begin-delivery-attempt",
  text: `
    with begun as (
      update handrail.delivery set attempts = attempts + 1, body = $2, next_attempt_at = null where id = $1::uuid
      returning id, attempts, round
    )
    insert into handrail.delivery_attempt (delivery_id, number, round) select id, attempts, round from begun
    returning number`,
};

/** Before anything is sent. Returns its number; the transaction holds the delivery. */
export async function beginAttempt(tx: Db, deliveryId: string, body: string): Promise<number> {
  const [row] = await tx.query<{ number: number }>(beginStatement, [deliveryId, body]);
  return (row as { number: number }).number;
}

interface AttemptEnd {
  ms: number;
  /** The receiver's answer. */
  code: number | null;
  /** Of a mail that arrived: which part of its addresses was refused. */
  error: string | null;
}

const endStatement: Statement = {
  name: "end-delivery-attempt",
  text: `
    update handrail.delivery_attempt set ms = $3::int, code = $4::int, error = $5
    where delivery_id = $1::uuid and number = $2::int and ms is null`,
};

export async function endAttempt(tx: Db, deliveryId: string, number: number, { ms, code, error }: AttemptEnd) {
  await tx.query(endStatement, [deliveryId, number, Math.round(ms), code, error]);
}

const finishStatement: Statement = {
  name: "finish-delivery",
  text: `
    update handrail.delivery set status = $2, error = $3, finished_at = clock_timestamp(), next_attempt_at = null
    where id = $1::uuid and status = 'sending'`,
};

/** `error`: why it has failed; null: it was delivered. */
export async function finishDelivery(tx: Db, deliveryId: string, error: string | null): Promise<void> {
  await tx.query(finishStatement, [deliveryId, error === null ? "delivered" : "failed", error]);
}

const sendingStatement: Statement = {
  name: "delivery-still-sending",
  text: `select from handrail.delivery where id = $1::uuid and status = 'sending'`,
};

/*
 * Skips what another process holds, which may wait for what this transaction holds. The attempts are read in a separate statement:
 * one that began meanwhile has to be seen.
 */
const lockSendingStatement: Statement = {
  name: "lock-delivery-to-supersede",
  text: `select from handrail.delivery where id = $1::uuid and status = 'sending' for no key update skip locked`,
};

const inFlightStatement: Statement = {
  name: "delivery-attempt-in-flight",
  text: `
    select from handrail.delivery_attempt
    where delivery_id = $1::uuid and ms is null and began_at > clock_timestamp() - $2::float8 * interval '1 ms'`,
};

/**
 * Ends a delivery that is still being sent, so that it is not sent after another one. False: an attempt is in flight, to be waited
 * for. `lostAfterMs`: when an attempt without an end was cut off.
 */
export async function supersede(tx: Db, id: string, error: string, lostAfterMs: number): Promise<boolean> {
  if ((await tx.query(sendingStatement, [id])).length === 0) return true;
  if ((await tx.query(lockSendingStatement, [id])).length === 0) return false;
  if ((await tx.query(inFlightStatement, [id, lostAfterMs])).length > 0) return false;
  await finishDelivery(tx, id, error);
  return true;
}

const againStatement: Statement = {
  name: "plan-delivery-attempt",
  text: `
    update handrail.delivery set next_attempt_at = clock_timestamp() + $2::float8 * interval '1 ms'
    where id = $1::uuid and status = 'sending'`,
};

export async function planAttempt(tx: Db, deliveryId: string, delayMs: number): Promise<void> {
  await tx.query(againStatement, [deliveryId, delayMs]);
}

const redeliverStatement: Statement = {
  name: "redeliver",
  text: `
    update handrail.delivery set status = 'sending', round = round + 1, run_id = $2::uuid, finished_at = null, error = null,
      next_attempt_at = null
    where id = $1::uuid`,
};

/** By a new run, in another round. The transaction holds the delivery. */
export async function redeliver(tx: Db, deliveryId: string, runId: string): Promise<void> {
  await tx.query(redeliverStatement, [deliveryId, runId]);
}

const oldStatement: Statement = {
  name: "delete-old-deliveries",
  text: `
    with old as (
      select id from handrail.delivery where finished_at < (select clock_timestamp()) - $2::float8 * interval '1 ms'
      order by finished_at limit $1::int for update skip locked
    ), gone as (delete from handrail.delivery using old where delivery.id = old.id returning 1
    ), over as (
      delete from handrail.incident where state = 'resolved' and changed_at < clock_timestamp() - $2::float8 * interval '1 ms')
    select count(*)::int as deleted from gone`,
};

/** Deletes expired deliveries, up to `limit`, with their attempts, and old incidents; returns how many deliveries. */
export async function deleteOldDeliveries(db: Db, limit: number, keptMs: number): Promise<number> {
  return (await db.query<{ deleted: number }>(oldStatement, [limit, keptMs]))[0]?.deleted ?? 0;
}
