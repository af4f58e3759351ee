import { randomSecret } from "../../engine/digest";
import { HandrailError } from "../../engine/errors";
import { PREVIOUS_SECRET_MS, SECRET_PREFIX } from "../../engine/notices/delivery";
import { SERVICE_URLS } from "../../outbound/outgoing";
import { checkReceiver } from "../../outbound/receiver";
import type { Db } from "../../store/db";
import {
  changeDestination,
  countDestinations,
  type DestinationChoice,
  type DestinationRow,
  insertDestination,
  lockDestination,
  MOST_DESTINATIONS,
  removeDestination,
  rotateSecret,
} from "../../store/notices/destinations";
import { newPlanId } from "../../store/run-id";
import { type Attempt, audited, type WriteRow } from "../audit/audited";
import type { Desk } from "../desk";
import { destinationView } from "./destination-view";

/** Channels that this deployment can send to. */
interface OutboundSetUp {
  internal: readonly string[];
  mail: boolean;
}

type Kind = DestinationRow["kind"];
/** What a service gave out: never shown, kept in the audit log or in the idempotency record. */
interface WithToken {
  token?: string | null;
}
type Given = Omit<DestinationChoice, "enabled"> & WithToken & { kind: Kind; reason: string };

const SECRET_BYTES = 32;
const newSecret = (): string => SECRET_PREFIX + randomSecret(SECRET_BYTES).toString("base64");

/**
 * The response is the only place with the secret: neither the idempotency record nor the audit log keeps it.
 * @throws HandrailError `invalid_input` for an address that is not allowed, `not_allowed`
 */
export async function addDestination(desk: Desk, setUp: OutboundSetUp, { reason, kind, token, ...given }: Given) {
  const choice = { ...checked(kind, given, setUp), enabled: true };
  const kept = tokenFor(kind, token ?? null);
  const attempt = attemptOf("add_destination", reason, { kind, ...shownInAudit(choice) });
  let issued: string | null = null;
  const { body } = await audited(desk, attempt, async (tx, record) => {
    if ((await countDestinations(tx)) >= MOST_DESTINATIONS)
      throw new HandrailError("not_allowed", `There are ${MOST_DESTINATIONS} destinations: remove one first.`);
    const secret = kind === "webhook" ? newSecret() : null;
    const createdBy = desk.by.name;
    const row = await insertDestination(tx, newPlanId(), { ...choice, kind, secret: secret ?? kept, createdBy });
    if (!row) throw nameTaken(choice.name);
    await record({ destinationId: row.id });
    issued = secret;
    return { status: 201, body: { destination: destinationView(row) } };
  });
  return { ...body, secret: issued };
}

type Change = DestinationChoice & WithToken & DestinationRequest;

/** @throws HandrailError `not_found`, `changed`, `invalid_input` or `not_allowed` */
export function changeADestination(
  desk: Desk,
  setUp: OutboundSetUp,
  { id, revision, reason, token = null, ...given }: Change,
) {
  const act = { act: "change_destination", details: shownInAudit(given) };
  return onDestination(desk, act, { id, revision, reason }, async (tx, { kind, url }) => {
    const choice = checked(kind, given, setUp);
    // Who may change the address may not thereby read the token.
    if (token === null && kind in TOKENS && originOf(choice.url) !== originOf(url))
      throw misfit("token", "The token goes to the address: with another one, enter the token again.");
    const kept = token === null ? null : tokenFor(kind, token);
    const row = await changeDestination(tx, id, { ...given, ...choice }, kept);
    if (!row) throw nameTaken(given.name);
    return destinationView(row);
  });
}

interface DestinationRequest {
  id: string;
  /** The revision that the operator saw. */
  revision: number;
  reason: string;
}

/** The previous secret stays valid for a day, so that receivers have time to change. */
export async function rotateDestinationSecret(desk: Desk, request: DestinationRequest) {
  let issued: string | null = null;
  const destination = await onDestination(desk, { act: "rotate_secret" }, request, async (tx, { kind }) => {
    if (kind === "email") throw new HandrailError("not_allowed", "Mail is not signed: there is no secret.");
    if (kind !== "webhook")
      throw new HandrailError(
        "not_allowed",
        "Only webhooks are signed: make a new token in the service, and change the destination.",
      );
    const secret = newSecret();
    const row = await rotateSecret(tx, request.id, secret, PREVIOUS_SECRET_MS);
    issued = secret;
    return destinationView(row);
  });
  return { destination, secret: issued };
}

export const removeADestination = (desk: Desk, request: DestinationRequest) =>
  onDestination(desk, { act: "remove_destination" }, request, async (tx, row) => {
    await removeDestination(tx, row.id);
    return { done: true as const };
  });

/** One action, under the destination's lock. */
async function onDestination<Body>(
  desk: Desk,
  { act, details }: { act: string; details?: object },
  { id, revision, reason }: DestinationRequest,
  change: (tx: Db, row: DestinationRow, record: WriteRow) => Promise<Body>,
): Promise<Body> {
  const attempt: Attempt = { act, runId: null, reason, details: { destinationId: id, ...details } };
  const { body } = await audited(desk, attempt, async (tx, record) => {
    const row = await lockDestination(tx, id);
    if (!row) throw new HandrailError("not_found", "There is no such destination.");
    attempt.before = {
      ...shownInAudit({ ...row, perMinute: row.per_minute }),
      enabled: row.enabled,
      revision: row.revision,
    };
    if (row.revision !== revision)
      throw new HandrailError(
        "changed",
        "The destination has changed since you looked at it. Look again, then decide.",
        {
          revision: row.revision,
        },
      );
    const body = await change(tx, row, record);
    await record({ name: row.name });
    return { status: 200, body };
  });
  return body;
}

const originOf = (url: string | null) => new URL(url ?? "").origin;

const attemptOf = (act: string, reason: string, details: object): Attempt => ({
  act,
  runId: null,
  reason,
  details,
  before: {},
});

/** Only the host of an address: the path is often a credential for posting to the channel. */
const shownInAudit = ({
  name,
  url,
  addresses,
  channel,
  runbook,
  events,
  workflows,
  perMinute,
}: Omit<DestinationChoice, "enabled">) => ({
  name,
  ...(url !== null && { host: URL.canParse(url) ? new URL(url).host : "no address" }),
  ...(addresses !== null && { addresses }),
  ...(channel && { channel }),
  ...(runbook && { runbook }),
  events,
  workflows,
  perMinute,
});

const nameTaken = (name: string) => new HandrailError("not_allowed", `There is a destination named "${name}" already.`);

/** @throws HandrailError `invalid_input`, `not_allowed` */
function checked<Choice extends Pick<DestinationChoice, "url" | "addresses" | "channel">>(
  kind: Kind,
  given: Choice,
  { internal, mail }: OutboundSetUp,
): Choice {
  if (kind === "slack" && !given.channel) throw misfit("channel", "Slack needs the channel to post to.");
  if (kind !== "slack" && given.channel) throw misfit("channel", "Only Slack has a channel here.");
  if (kind === "email") {
    if (given.addresses === null || given.url !== null) throw misfit("addresses", "E-mail has addresses, and no URL.");
    if (!mail) throw new HandrailError("not_allowed", "Mail is not set up here: HANDRAIL_SMTP_URL says where it goes.");
    return given;
  }
  const address = given.url ?? (kind === "webhook" || kind === "teams" ? null : SERVICE_URLS[kind]);
  if (address === null || given.addresses !== null)
    throw misfit("url", `${kind === "teams" ? "Teams" : "A webhook"} has a URL, and no addresses.`);
  const url = checkReceiver(address, internal);
  if (typeof url === "string") throw misfit("url", url);
  if (kind in SERVICE_URLS && url.search !== "")
    throw misfit("url", "The address of the service must not have a part after ?: methods are added to it.");
  return { ...given, url: url.href };
}

const TOKENS = {
  slack: { form: /^xox[a-z.-]*-[\w-]{10,}$/, what: "Slack needs the token of an app, which begins with xoxb-." },
  pagerduty: { form: /^[\w+-]{32}$/, what: "PagerDuty needs an integration key of Events API v2: 32 characters." },
  opsgenie: { form: /^[\w-]{20,100}$/, what: "Opsgenie needs the key of an API integration." },
} as const;

/** @throws HandrailError `invalid_input` */
function tokenFor(kind: Kind, token: string | null): string | null {
  if (kind === "webhook" || kind === "email" || kind === "teams") {
    if (token !== null) throw misfit("token", "Only Slack, PagerDuty and Opsgenie have a token.");
    return null;
  }
  const { form, what } = TOKENS[kind];
  if (token === null || !form.test(token)) throw misfit("token", what);
  return token;
}

const misfit = (path: string, message: string) =>
  new HandrailError("invalid_input", message, { issues: [{ path: [path], message }] });
