import { systemCaller } from "../../engine/audit/audit";
import type { AuditKeys } from "../../engine/audit/audit-keys";
import { sha256 } from "../../engine/digest";
import {
  type DeliveryPoint,
  type Message,
  messageOf,
  retryAfter,
  SWITCHED_OFF_AFTER_MS,
} from "../../engine/notices/delivery";
import type { NoticeEvent } from "../../engine/notices/notice";
import { isPayloadLocked } from "../../engine/privacy/sealed";
import { RetryAfterError } from "../../engine/steps/retry-policy";
import type { Outgoing, SentOut } from "../../outbound/outgoing";
import { writeAudit } from "../../store/audit/audit";
import type { Db } from "../../store/db";
import {
  beginAttempt,
  endAttempt,
  finishDelivery,
  lockDelivery,
  planAttempt,
  supersede,
} from "../../store/notices/deliveries";
import { lockDestination, noteFailure, noteSuccess } from "../../store/notices/destinations";
import { claimIncident, lockIncident, noteOpened } from "../../store/notices/incidents";
import { noteSwitchedOff } from "../../store/notices/notices";

/** The transports of deliveries. */
export interface DeliveryDesk {
  db: Db;
  auditKeys: AuditKeys;
  /** The console's address, for links. */
  origin: string;
  send: (toSend: Outgoing, signal: AbortSignal) => Promise<SentOut>;
  /** Called at each of the points. For tests, whose workers die there. */
  at?: (point: DeliveryPoint, detail: string) => void | Promise<void>;
}

/** `over`: nothing to send, since the delivery was delivered, given up or removed before. */
type DeliveryEnd = "delivered" | "failed" | "over";

/**
 * One attempt, recorded before it begins and after it has ended, each in a separate transaction: a crash in between
 * leaves an attempt without an end, which may have arrived; the next one sends the same bytes under the same id.
 * @throws RetryAfterError when it has to be retried
 */
export async function deliver(desk: DeliveryDesk, deliveryId: string, signal: AbortSignal): Promise<DeliveryEnd> {
  const begun = await desk.db.transaction((tx) => begin(tx, desk, deliveryId));
  if (!begun.toSend) return begun.end;
  await desk.at?.("delivery:before-send", deliveryId);
  const began = performance.now();
  const sent = await desk.send(begun.toSend, signal);
  const ms = performance.now() - began;
  await desk.at?.("delivery:after-send", deliveryId);
  const next = await desk.db.transaction((tx) => record(tx, desk, { ...begun, deliveryId, sent, ms }));
  await desk.at?.("delivery:after-record", deliveryId);
  if (typeof next === "string") return next;
  throw new RetryAfterError(sent.error ?? "No response.", next.delayMs);
}

interface Begun {
  toSend: Outgoing;
  /** Of a service: the event that opens an incident there. */
  opens: NoticeEvent | null;
  number: number;
  round: number;
  /** Of this round, this one included. */
  ofRound: number;
}

async function begin(
  tx: Db,
  { origin }: DeliveryDesk,
  deliveryId: string,
): Promise<Begun | { toSend: null; end: DeliveryEnd }> {
  const delivery = await lockDelivery(tx, deliveryId).catch((error: unknown) => {
    // Another worker may have the key.
    if (isPayloadLocked(error)) throw new RetryAfterError(error.message, LOCKED_MS);
    throw error;
  });
  if (delivery?.status !== "sending") return { toSend: null, end: "over" };
  const { id, events, event_count: count, address } = delivery;
  if (!delivery.enabled) {
    await finishDelivery(tx, id, "The destination is switched off.");
    return { toSend: null, end: "failed" };
  }
  const about = await incidentOf(tx, delivery);
  if (!about) {
    await finishDelivery(tx, id, SUPERSEDED);
    return { toSend: null, end: "failed" };
  }
  const { incident, opens } = about;
  const body = delivery.body ?? JSON.stringify(withRunbook(messageOf(events, count, origin), address.runbook, events));
  const number = await beginAttempt(tx, id, body);
  return {
    toSend: { id, body, events, count, address, incident },
    opens,
    number,
    round: delivery.round,
    ofRound: delivery.of_round + 1,
  };
}

const LOCKED_MS = 60_000;
const SUPERSEDED = "Superseded by a later message about the same incident.";
/** Longer than any attempt takes. */
const CUT_OFF_MS = 60_000;
const IN_FLIGHT_MS = 5_000;

/** The team's page on it, about the first event of a combined message. */
function withRunbook(message: Message, template: string | null, [first]: readonly NoticeEvent[]): Message {
  // That of an alert's rule is already there.
  if (template === null || !first || first.runbook) return message;
  const values: Record<string, string> = { event: first.type, workflow: first.workflows[0] ?? "" };
  const runbook = template.replaceAll(/\{(event|workflow)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ""),
  );
  return { ...message, data: { ...message.data, runbook } };
}

type AboutIncident = Pick<Begun, "opens"> & { incident: Outgoing["incident"] };
type Delivery = NonNullable<Awaited<ReturnType<typeof lockDelivery>>>;

/**
 * A message of several events opens none: each would end at another time. Null: a later message about the incident was made, after
 * which this one would say what no longer holds, such as that it is over when it has opened again.
 */
async function incidentOf(
  tx: Db,
  { id, events, event_count, incident, address }: Delivery,
): Promise<AboutIncident | null> {
  if (address.kind === "webhook" || address.kind === "email") return { incident: null, opens: null };
  const [event] = events;
  const opens = incident === null && event_count === 1 && event && canEnd(event, address.kind) ? event : null;
  const key = incident ?? (opens ? incidentKey(opens, id) : `handrail/delivery/${id}`);
  const last = await lockIncident(tx, address.id, key);
  if (last && last.deliveryId !== id) {
    if (!opens) return null;
    // Its end, which was not accepted yet, must not arrive after it has opened again.
    if (!(await supersede(tx, last.deliveryId, SUPERSEDED, CUT_OFF_MS)))
      throw new RetryAfterError("The last message about the same incident is still being sent.", IN_FLIGHT_MS);
    await claimIncident(tx, address.id, key, id);
  }
  return { incident: { key, thread: last?.thread ?? null }, opens };
}

/** A test pages somebody: it ends by itself. In a chat it is one message, and so is a report. */
const canEnd = ({ type }: NoticeEvent, kind: Outgoing["address"]["kind"]): boolean =>
  type === "report"
    ? false
    : type === "test"
      ? kind === "pagerduty" || kind === "opsgenie"
      : type !== "destination.switched_off";

function incidentKey(event: NoticeEvent, deliveryId: string): string {
  const { type, problemId, operationId, planId, runId, step, alertId } = event;
  if (alertId) return `handrail/alert/${alertId}`;
  if (problemId !== null) return `handrail/problem/${problemId}`;
  if (operationId !== null) return `handrail/operation/${operationId}`;
  if (planId !== null) return `handrail/plan/${planId}`;
  if (runId === null) return `handrail/delivery/${deliveryId}`;
  // The names of steps may be longer than keys.
  const about = type === "approval.waiting" ? "approval" : "compensation";
  return `handrail/${about}/${runId}/${sha256(step ?? "").slice(0, 32)}`;
}

type Attempted = Begun & { deliveryId: string; sent: SentOut; ms: number };

async function record(tx: Db, desk: DeliveryDesk, attempted: Attempted): Promise<DeliveryEnd | { delayMs: number }> {
  const { deliveryId, number, round, ofRound, sent, ms, toSend, opens } = attempted;
  const destinationId = toSend.address.id;
  // The lock order of removing a destination with its deliveries.
  await lockDestination(tx, destinationId);
  const delivery = await lockDelivery(tx, deliveryId);
  if (!delivery) return "over";
  await endAttempt(tx, deliveryId, number, { ms, code: sent.code, error: sent.error ?? sent.note ?? null });
  // Also when the delivery was over meanwhile: the service knows of it.
  if (sent.error === null && opens !== null && toSend.incident) {
    const { thread = null } = sent;
    await noteOpened(tx, { destinationId, key: toSend.incident.key, event: opens, deliveryId, thread });
  }
  // This process was taken for dead, and an operator had it redelivered meanwhile.
  if (delivery.status !== "sending" || delivery.round !== round) return "over";
  if (sent.error === null) {
    await finishDelivery(tx, deliveryId, null);
    await noteSuccess(tx, destinationId);
    return "delivered";
  }
  const delayMs = sent.final ? null : retryAfter(ofRound, sent.retryAfterMs, Math.random());
  if (delayMs === null) await finishDelivery(tx, deliveryId, sent.error);
  else await planAttempt(tx, deliveryId, delayMs);
  const failure = { destinationId, error: sent.error, gone: sent.gone, exhausted: delayMs === null && !sent.final };
  await countFailure(tx, desk, { ...failure, wasOn: delivery.enabled });
  return delayMs === null ? "failed" : { delayMs };
}

interface Failure {
  destinationId: string;
  error: string;
  gone: boolean;
  /** No retry of the message is left. */
  exhausted: boolean;
  wasOn: boolean;
}

/**
 * A destination that fails for days is switched off by Handrail itself, with an audit row and a notice to all others.
 */
async function countFailure(
  tx: Db,
  { auditKeys }: DeliveryDesk,
  { destinationId, error, gone, exhausted, wasOn }: Failure,
): Promise<void> {
  const noted = await noteFailure(tx, destinationId, { offAfterMs: SWITCHED_OFF_AFTER_MS, gone, exhausted });
  if (!wasOn || !noted || noted.disabled_because === null) return;
  await noteSwitchedOff(tx, destinationId);
  await writeAudit(tx, auditKeys, [
    {
      by: systemCaller("handrail"),
      act: "switch_off_destination",
      runId: null,
      step: null,
      reason: noted.disabled_because,
      before: { enabled: true },
      after: { destinationId, name: noted.name, enabled: false, error },
      requestKey: null,
    },
  ]);
}
