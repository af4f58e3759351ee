import { HandrailError } from "../../engine/errors";
import type { Db } from "../../store/db";
import { type DestinationRow, listDestinations } from "../../store/notices/destinations";
import type { IncidentEvent } from "../../store/notices/incidents";
import { type DeliveryKey, type DeliveryRow, listDeliveries, selectDelivery } from "../../store/reads/deliveries";
import { decodeCursor, encodeCursor, isInstant } from "../cursor";
import { asInstant, asInstantOrNull } from "../values";

const DEFAULT_PAGE_SIZE = 50;

export const readDestinations = async (db: Db, mail: boolean) => ({
  destinations: (await listDestinations(db)).map(destinationView),
  mail,
});

export const destinationView = (row: DestinationRow) => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  url: row.url,
  addresses: row.addresses,
  channel: row.channel,
  runbook: row.runbook,
  events: row.events,
  workflows: row.workflows,
  perMinute: row.per_minute,
  enabled: row.enabled,
  disabledBecause: row.disabled_because,
  previousSecretUntil: asInstantOrNull(row.previous_secret_until),
  failingSince: asInstantOrNull(row.failing_since),
  createdAt: asInstant(row.created_at),
  createdBy: row.created_by,
  revision: row.revision,
});

interface DeliveriesQuery {
  destinationId: string;
  cursor?: string | undefined;
  limit?: number | undefined;
}

/** Latest first; empty for an unknown destination. */
export async function readDeliveries(db: Db, { destinationId, cursor, limit = DEFAULT_PAGE_SIZE }: DeliveriesQuery) {
  const after = cursor === undefined ? null : decodeCursor<DeliveryKey>(cursor, isKey);
  const rows = await listDeliveries(db, destinationId, { after, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { deliveries: shown.map(deliveryView), nextCursor: last ? encodeCursor([last.key_at, last.id]) : null };
}

const isKey = ([at, id]: unknown[]) =>
  isInstant(at) && typeof id === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

/** @throws HandrailError `not_found` */
export async function readDelivery(db: Db, deliveryId: string, destinationId: string) {
  const row = await selectDelivery(db, deliveryId, destinationId);
  if (!row) throw noDelivery();
  return deliveryView(row);
}

export const noDelivery = () => new HandrailError("not_found", "There is no such delivery.");

function deliveryView(row: DeliveryRow) {
  const { last_attempt: last } = row;
  return {
    id: row.id,
    status: row.status,
    events: row.events.map((event: IncidentEvent) => ({
      type: event.type,
      at: event.at,
      sentence: event.sentence,
      state: event.state ?? null,
    })),
    eventCount: row.event_count,
    createdAt: asInstant(row.created_at),
    runId: row.run_id,
    attempts: row.attempts,
    nextAttemptAt: asInstantOrNull(row.next_attempt_at),
    finishedAt: asInstantOrNull(row.finished_at),
    error: row.error,
    lastAttempt: last && { ...last, beganAt: asInstant(last.beganAt) },
  };
}
