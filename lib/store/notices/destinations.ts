import type { Place } from "../../engine/privacy/sealed";
import type { Db, Statement } from "../db";
import { opened, sealed } from "../payloads";
import type { RowInstant } from "../rows";

type DestinationKind = "webhook" | "email" | "slack" | "pagerduty" | "opsgenie" | "teams";

export interface DestinationRow {
  id: string;
  name: string;
  kind: DestinationKind;
  url: string | null;
  addresses: string[] | null;
  /** Of Slack. */
  channel: string | null;
  runbook: string | null;
  events: string[];
  workflows: string[] | null;
  per_minute: number;
  enabled: boolean;
  disabled_because: string | null;
  previous_secret_until: RowInstant | null;
  failing_since: RowInstant | null;
  created_at: RowInstant;
  created_by: string;
  revision: number;
}

/** An operator's settings of a destination. */
export interface DestinationChoice {
  name: string;
  url: string | null;
  addresses: readonly string[] | null;
  channel?: string | null;
  /** The team's page on what to do. */
  runbook?: string | null;
  events: readonly string[];
  workflows: readonly string[] | null;
  perMinute: number;
  enabled: boolean;
}

/** A limit, since more would be unmanageable. */
export const MOST_DESTINATIONS = 100;

const COLUMNS = `id, name, kind, url, addresses, channel, runbook, events, workflows, per_minute, enabled, disabled_because,
      case when previous_secret_until > clock_timestamp() then previous_secret_until end as previous_secret_until,
      failing_since, created_at, created_by, revision`;

const listStatement: Statement = {
  name: "list-destinations",
  text: `select ${COLUMNS} from handrail.destination order by name limit ${MOST_DESTINATIONS}`,
};
export const listDestinations = (db: Db): Promise<DestinationRow[]> => db.query(listStatement, []);

const switchedOffStatement: Statement = {
  name: "destinations-switched-off",
  text: `
    select id, name, disabled_because as because, failing_since from handrail.destination
    where not enabled and disabled_because is not null order by name limit ${MOST_DESTINATIONS}`,
};

type SwitchedOffRow = Pick<DestinationRow, "id" | "name" | "failing_since"> & { because: string };

/** Switched off by Handrail itself, since no delivery arrived; not those that an operator has switched off. */
export const listSwitchedOff = (db: Db): Promise<SwitchedOffRow[]> => db.query(switchedOffStatement, []);

const lockStatement: Statement = {
  name: "lock-destination",
  text: `select ${COLUMNS} from handrail.destination where id = $1::uuid for no key update`,
};

export async function lockDestination(tx: Db, id: string): Promise<DestinationRow | undefined> {
  return (await tx.query<DestinationRow>(lockStatement, [id]))[0];
}

const countStatement: Statement = {
  name: "count-destinations",
  text: `select count(*)::int as count from handrail.destination`,
};

export async function countDestinations(tx: Db): Promise<number> {
  return (await tx.query<{ count: number }>(countStatement, []))[0]?.count ?? 0;
}

const insertStatement: Statement = {
  name: "insert-destination",
  text: `
    insert into handrail.destination (id, kind, name, url, addresses, events, workflows, per_minute, enabled, secret, created_by,
      channel, runbook)
    values ($1::uuid, $2, $3, $4, $5::text[], $6::text[], $7::text[], $8::int, $9::boolean, $10, $11, $12, $13)
    on conflict (name) do nothing
    returning ${COLUMNS}`,
};

/** Undefined: the name is taken. */
export async function insertDestination(
  tx: Db,
  id: string,
  given: DestinationChoice & { kind: DestinationKind; secret: string | null; createdBy: string },
): Promise<DestinationRow | undefined> {
  const { kind, name, url, addresses, events, workflows, perMinute, enabled, secret, createdBy } = given;
  const { channel = null, runbook = null } = given;
  const kept = sealed(secretPlace(id), secret);
  const values = [
    id,
    kind,
    name,
    url,
    addresses,
    events,
    workflows,
    perMinute,
    enabled,
    kept,
    createdBy,
    channel,
    runbook,
  ];
  return (await tx.query<DestinationRow>(insertStatement, values))[0];
}

const changeStatement: Statement = {
  name: "change-destination",
  text: `
    update handrail.destination set name = $2, url = $3, addresses = $4::text[], events = $5::text[], workflows = $6::text[],
      per_minute = $7::int, enabled = $8::boolean, disabled_because = null, channel = $9, secret = coalesce($10, secret),
      runbook = $11,
      failing_since = case when $8::boolean and not enabled then null else failing_since end, revision = revision + 1
    where id = $1::uuid and not exists (select from handrail.destination as other where other.name = $2 and other.id <> $1::uuid)
    returning ${COLUMNS}`,
};

/**
 * An operator's setting of on or off stays. `token`: null keeps the present one. Undefined: the name is taken. The
 * transaction holds the destination.
 */
export async function changeDestination(
  tx: Db,
  id: string,
  { name, url, addresses, channel = null, runbook = null, events, workflows, perMinute, enabled }: DestinationChoice,
  token: string | null,
): Promise<DestinationRow | undefined> {
  const kept = sealed(secretPlace(id), token);
  const values = [id, name, url, addresses, events, workflows, perMinute, enabled, channel, kept, runbook];
  return (await tx.query<DestinationRow>(changeStatement, values))[0];
}

const removeStatement: Statement = {
  name: "remove-destination",
  text: `delete from handrail.destination where id = $1::uuid`,
};

/** With its history; pending deliveries end without being sent. */
export async function removeDestination(tx: Db, id: string): Promise<void> {
  await tx.query(removeStatement, [id]);
}

const secretPlace = (id: string): Place => [id, "secret"];
const previousPlace = (id: string): Place => [id, "previous_secret"];

const secretStatement: Statement = {
  name: "secret-of-destination",
  text: `select secret from handrail.destination where id = $1::uuid`,
};

const rotateStatement: Statement = {
  name: "rotate-secret-of-destination",
  text: `
    update handrail.destination set secret = $2, previous_secret = $3,
      previous_secret_until = clock_timestamp() + $4::float8 * interval '1 ms', revision = revision + 1
    where id = $1::uuid returning ${COLUMNS}`,
};

/** The transaction holds the destination, which is a webhook. The previous secret stays valid for `previousMs`. */
export async function rotateSecret(tx: Db, id: string, secret: string, previousMs: number): Promise<DestinationRow> {
  const [before] = await tx.query<{ secret: string }>(secretStatement, [id]);
  const previous = sealed(previousPlace(id), opened(secretPlace(id), before?.secret ?? null));
  const values = [id, sealed(secretPlace(id), secret), previous, previousMs];
  return (await tx.query<DestinationRow>(rotateStatement, values))[0] as DestinationRow;
}

/** A destination in the form that sending needs. */
export interface Address {
  id: string;
  kind: DestinationKind;
  url: string | null;
  addresses: string[] | null;
  channel: string | null;
  runbook: string | null;
  /** The signing secrets of a webhook, the newest first, or the token of a service; none for mail and Teams. */
  secrets: string[];
}

interface AddressRow extends Omit<Address, "secrets"> {
  secret: string | null;
  previous_secret: string | null;
}

/** @throws HandrailError `payload_locked` */
export function addressOf({ secret, previous_secret, ...row }: AddressRow): Address {
  const { id } = row;
  const secrets = [opened(secretPlace(id), secret), opened(previousPlace(id), previous_secret)];
  return { ...row, secrets: secrets.filter((one) => one !== null) };
}

export const ADDRESS_COLUMNS = `destination.id, destination.kind, destination.url, destination.addresses, destination.channel,
      destination.runbook, destination.secret,
      case when destination.previous_secret_until > clock_timestamp() then destination.previous_secret end as previous_secret`;

export type { AddressRow };

/*
 * `too_long`: nothing was delivered for that long, and the message's retries are exhausted or attempts failed on as many different
 * days. One failure alone, followed by another days later, says little. A minute: the first of them began before it was recorded.
 */
const failureStatement: Statement = {
  name: "note-destination-failure",
  text: `
    with failed as (
      select id, coalesce(failing_since < clock_timestamp() - $2::float8 * interval '1 ms', false) and ($5::boolean or (
        select count(distinct floor(greatest(extract(epoch from began_at - failing_since), 0) / 86400))
        from handrail.delivery join handrail.delivery_attempt as attempt on attempt.delivery_id = delivery.id
        where delivery.destination_id = destination.id and attempt.error is not null
          and attempt.began_at > failing_since - interval '1 minute') >= $4::int) as too_long
      from handrail.destination where id = $1::uuid
    )
    update handrail.destination set failing_since = coalesce(failing_since, clock_timestamp()),
      enabled = enabled and not $3::boolean and not too_long,
      disabled_because = case
        when not enabled then disabled_because
        when $3::boolean then 'The receiver says that it is gone for good (410).'
        when too_long then 'Nothing could be delivered for ' || $4::int || ' days.'
      end,
      revision = revision + case when enabled and ($3::boolean or too_long) then 1 else 0 end
    from failed where destination.id = failed.id
    returning name, disabled_because`,
};

interface Failing {
  offAfterMs: number;
  gone: boolean;
  /** No retry of the message is left. */
  exhausted: boolean;
}

/**
 * A delivery failed. Returns why the destination was switched off, if this failure was one too many. The transaction
 * holds the destination and has recorded the attempt.
 */
export async function noteFailure(
  tx: Db,
  id: string,
  { offAfterMs, gone, exhausted }: Failing,
): Promise<{ name: string; disabled_because: string | null } | undefined> {
  const days = Math.round(offAfterMs / 86_400_000);
  const values = [id, offAfterMs, gone, days, exhausted];
  return (await tx.query<{ name: string; disabled_because: string | null }>(failureStatement, values))[0];
}

const successStatement: Statement = {
  name: "note-destination-success",
  text: `update handrail.destination set failing_since = null where id = $1::uuid and failing_since is not null`,
};

export async function noteSuccess(tx: Db, id: string): Promise<void> {
  await tx.query(successStatement, [id]);
}
