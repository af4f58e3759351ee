import type { NoticeEvent } from "../../engine/notices/notice";
import type { Db, Statement } from "../db";

/*
 * What chat and paging services have been notified of. A message that arrived opens an incident; when people
 * work on its cause or it is over, the hand-over of notices sends that on, under the same key.
 */

export type IncidentState = "open" | "acknowledged" | "resolved";

/** An event that goes on about an incident; without a state, it opens one. */
export type IncidentEvent = NoticeEvent & { state?: IncidentState };

interface LastTold {
  /** The latest message about it. */
  deliveryId: string;
  /** Null: the service keeps no threads. */
  thread: string | null;
}

const lockStatement: Statement = {
  name: "lock-incident",
  text: `
    select delivery_id::text as "deliveryId", thread from handrail.incident where destination_id = $1::uuid and key = $2
    for no key update`,
};

/** Undefined: nothing was sent about it. The lock order is the delivery, then its incident. */
export async function lockIncident(tx: Db, destinationId: string, key: string): Promise<LastTold | undefined> {
  return (await tx.query<LastTold>(lockStatement, [destinationId, key]))[0];
}

const claimStatement: Statement = {
  name: "claim-incident",
  text: `update handrail.incident set state = 'open', delivery_id = $3::uuid where destination_id = $1::uuid and key = $2`,
};

/** That delivery is about to open it again: whatever goes on about it waits. The transaction holds the incident. */
export async function claimIncident(tx: Db, destinationId: string, key: string, deliveryId: string): Promise<void> {
  await tx.query(claimStatement, [destinationId, key, deliveryId]);
}

interface Opened {
  destinationId: string;
  key: string;
  event: NoticeEvent;
  deliveryId: string;
  thread: string | null;
}

const openedStatement: Statement = {
  name: "note-incident-opened",
  text: `
    insert into handrail.incident (destination_id, key, event, delivery_id, thread) values ($1::uuid, $2, $3::jsonb, $4::uuid, $5)
    on conflict (destination_id, key) do update set event = excluded.event, state = 'open', delivery_id = excluded.delivery_id,
      thread = coalesce(incident.thread, excluded.thread), changed_at = clock_timestamp()`,
};

/** The destination accepted a message that opens it, or opens it again. The first message leads the thread. */
export async function noteOpened(tx: Db, { destinationId, key, event, deliveryId, thread }: Opened): Promise<void> {
  await tx.query(openedStatement, [destinationId, key, JSON.stringify(event), deliveryId, thread]);
}

const stateOf = (rows: string, over: string, taken: string) =>
  `(select case when coalesce(bool_and(${over}), true) then 'resolved' when bool_or(${taken}) then 'acknowledged' else 'open' end
          from ${rows})`;

/** Acknowledged: a person is assigned, or has muted it. What was deleted is over. */
const CURRENT = `case
        when incident.event ->> 'alertId' is not null then ${stateOf(
          "handrail.alert where id = (incident.event ->> 'alertId')::uuid",
          "resolved_at is not null",
          "acknowledged_at is not null",
        )}
        when incident.event ->> 'problemId' is not null then ${stateOf(
          "handrail.problem where id = (incident.event ->> 'problemId')::uuid",
          "status = 'resolved'",
          "status = 'muted' or assignee is not null",
        )}
        when incident.event ->> 'operationId' is not null then ${stateOf(
          "handrail.operation where id = (incident.event ->> 'operationId')::uuid",
          "status <> 'paused'",
          "false",
        )}
        when incident.event ->> 'planId' is not null then ${stateOf(
          "handrail.plan_approval where plan_id = (incident.event ->> 'planId')::uuid",
          "status <> 'open'",
          "false",
        )}
        when incident.event ->> 'type' = 'approval.waiting' then ${stateOf(
          "handrail.event_wait where run_id = (incident.event ->> 'runId')::uuid and step = incident.event ->> 'step'",
          "closed_at is not null",
          "false",
        )}
        when incident.event ->> 'type' in ('compensation.owed', 'compensation.failed') then ${stateOf(
          "handrail.compensation where run_id = (incident.event ->> 'runId')::uuid and step = incident.event ->> 'step'",
          "status in ('completed', 'waived')",
          "assignee is not null and status not in ('completed', 'waived')",
        )}
        else 'resolved' end`;

/** One message after the other: while one about it is being sent, the next one waits. */
const DUE = `
    handrail.incident join handrail.destination on destination.id = incident.destination_id and destination.enabled
    cross join lateral (select ${CURRENT} as state) as current
    where incident.state <> 'resolved' and current.state <> incident.state and current.state <> 'open'
      and not exists (select from handrail.delivery where delivery.id = incident.delivery_id and delivery.status = 'sending')`;

/** For the question whether anything is to be handed over. */
export const INCIDENTS_WAIT = `exists (select from ${DUE})`;

// Skips what others hold, since a removal of the destination locks in another order.
const dueStatement: Statement = {
  name: "due-incidents",
  text: `
    select incident.destination_id::text as "destinationId", incident.key, current.state from ${DUE}
    order by incident.changed_at limit 100 for key share of destination skip locked for no key update of incident skip locked`,
};

interface DueIncident {
  destinationId: string;
  key: string;
  state: IncidentState;
}

/** Whose destination is to be notified that somebody works on it, or that it is over; locked. */
export const dueIncidents = (tx: Db): Promise<DueIncident[]> => tx.query(dueStatement, []);

const followStatement: Statement = {
  name: "follow-incident",
  text: `
    update handrail.incident set state = $3, delivery_id = $4::uuid, changed_at = clock_timestamp()
    where destination_id = $1::uuid and key = $2`,
};

/** That delivery tells it. The transaction holds the incident, and makes the delivery. */
export async function followIncident(tx: Db, { destinationId, key, state }: DueIncident, id: string): Promise<void> {
  await tx.query(followStatement, [destinationId, key, state, id]);
}
