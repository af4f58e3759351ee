import { ACTIONS, type Action } from "../engine/access/permission";
import { hmacSha256, isSameText } from "../engine/digest";
import { HandrailError } from "../engine/errors";
import type { FleetSettings } from "../env-fleet";
import { type Asker, ownerOf } from "./asker";

/** Carries who asks, from the console of one cell to that of another. */
export const CALLER_HEADER = "handrail-caller";

/** From the clock of one console to that of the other. */
const VALID_MS = 60_000;
/** Headers of a request may have 16 kB in all. */
const MAX_LENGTH = 8_000;

/** What belongs to one console alone: its people and tokens, the secrets of its destinations, the claims of its workers. */
const STAYS: readonly Action[] = ["access.manage", "destination.manage", "worker.work", "worker.drive", "span.write"];

/** The request that is sent on: the proof is of no other. */
interface SentOn {
  method: string;
  /** With its query. */
  path: string;
}

interface Said extends SentOn, Pick<Asker, "name" | "kind" | "accountable" | "role"> {
  from: string;
  to: string;
  until: number;
  owner: string;
  actions: Action[];
  workflows: readonly string[] | null;
}

/**
 * The header by which another cell's console knows this caller, with their name and what they may do there: the same as here.
 * @throws HandrailError `forbidden` for a caller with more workflows than a header has room for
 */
export function callerFor(to: string, { own, secret }: FleetSettings, asker: Asker, sentOn: SentOn): string {
  const { name, kind, accountable, role, workflows } = asker;
  const actions = [...asker.actions].filter((action) => !STAYS.includes(action));
  const who = { name, kind, accountable, role, workflows, actions, owner: ownerOf(asker) };
  const said: Said = { from: own, to, until: Date.now() + VALID_MS, ...who, ...sentOn };
  const text = Buffer.from(JSON.stringify(said)).toString("base64url");
  if (text.length > MAX_LENGTH)
    throw new HandrailError(
      "forbidden",
      "You may look at too many single workflows to ask another cell: sign in there.",
    );
  return `${text}.${signed(secret, text)}`;
}

/** @throws HandrailError `unauthenticated` for a header that no console of the fleet has written for this request and cell */
export function callerIn(header: string, fleet: FleetSettings | null, { method, path }: SentOn): Asker {
  const [text = "", signature = ""] = header.split(".");
  if (fleet === null)
    throw new HandrailError("unauthenticated", "This console is in no fleet: set HANDRAIL_FLEET_SECRET.");
  if (!isSameText(signature, signed(fleet.secret, text)))
    throw new HandrailError("unauthenticated", "This caller was named with another HANDRAIL_FLEET_SECRET.");
  const said = JSON.parse(Buffer.from(text, "base64url").toString()) as Said;
  const late = said.until < Date.now() || said.until > Date.now() + 2 * VALID_MS;
  if (said.to !== fleet.own || said.method !== method || said.path !== path || late)
    throw new HandrailError(
      "unauthenticated",
      `This caller was named for another request, or the clocks of "${said.from}" and "${fleet.own}" differ by more than a minute.`,
    );
  const { name, kind, accountable, role, workflows } = said;
  const actions = new Set(ACTIONS.filter((action) => said.actions.includes(action) && !STAYS.includes(action)));
  // No session here: what only people who are signed in here may do, such as a second person's yes, they do here.
  return {
    name,
    kind,
    accountable,
    role,
    workflows,
    actions,
    credentialId: `${said.from}:${said.owner}`,
    personId: null,
  };
}

const signed = (secret: string, text: string) => hmacSha256(Buffer.from(secret), `handrail-caller\n${text}`);
