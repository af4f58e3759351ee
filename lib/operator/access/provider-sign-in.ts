import { v7 as uuidv7 } from "uuid";
import type { CameBack } from "../../access/flow";
import { refuseLookAlike, saveInvited } from "../../access/invite";
import { refusal } from "../../access/provider";
import { beginSession, type SignedIn } from "../../access/sign-in";
import type { GroupRoles } from "../../engine/access/group-roles";
import type { Role } from "../../engine/access/permission";
import { roleOfGroups } from "../../engine/access/provider-claims";
import { isHandrailError } from "../../engine/errors";
import { type IdentityRow, joinPerson, linkIdentity, lockIdentity } from "../../store/access/identities";
import { lookAtInvitation } from "../../store/access/invitations";
import { changeRole } from "../../store/access/people";
import { revokeSession } from "../../store/access/sessions";
import type { Db } from "../../store/db";
import { type Attempt, audited, keepRefusal } from "../audit/audited";
import type { Desk } from "../desk";

interface Arrival extends CameBack {
  /** Roles by group. */
  roles: GroupRoles;
  /** The browser's previous session; signing in ends it. */
  replaces: string | null;
}

/**
 * Signs in a user whom the provider authenticated: known by issuer and subject alone, never by name or address; by the
 * link of an invitation; or new, by a group that has a role.
 * @throws HandrailError `unauthenticated` with `details.reason`; the audit log records it
 */
export async function signInFromProvider(desk: Desk, arrival: Arrival): Promise<SignedIn> {
  const { identity, invitationHash } = arrival;
  const name = (invitationHash && (await lookAtInvitation(desk.db, invitationHash))?.name) ?? identity.email;
  const own = { ...desk, request: null, by: { ...desk.by, name } };
  const details = { issuer: identity.issuer, subject: identity.subject };
  const reason = `Signed in through ${new URL(identity.issuer).host}.`;
  const attempt: Attempt = { act: "sign_in", runId: null, reason, details, before: {} };
  const enter = invitationHash ? enterByLink : enterByIdentity;
  const { body } = await audited(own, attempt, async (tx, record) => {
    const { personId, after } = await enter(tx, arrival, attempt);
    // The name never changes: the audit log uses the name given here, even if the address changes later.
    own.by.name = after.name;
    if (arrival.replaces !== null) await revokeSession(tx, arrival.replaces);
    const signedIn = await beginSession(tx, personId, desk.by);
    await record({ ...after, sessionId: signedIn.sessionId });
    return { status: 200, body: signedIn };
  });
  return body;
}

/** For refusals before the user is known. */
export async function keepProviderRefusal(desk: Desk, issuer: string, error: unknown): Promise<void> {
  if (!isHandrailError(error)) return;
  const reason = `Came back from ${new URL(issuer).host}.`;
  await keepRefusal(desk, { act: "sign_in", runId: null, reason, details: { issuer }, before: {} }, error);
}

interface Entered {
  personId: string;
  after: { name: string; role?: Role };
}

/** A user with a password loses it here: each user has one way to sign in. */
async function enterByLink(tx: Db, { identity, invitationHash }: Arrival, attempt: Attempt): Promise<Entered> {
  attempt.act = "accept_invitation";
  const tokenHash = invitationHash as Buffer;
  const invited = await lookAtInvitation(tx, tokenHash);
  if (!invited) throw refusal("link");
  const name = invited.name ?? identity.email;
  const personId = await saveInvited(tx, { tokenHash, name, passwordHash: null }).catch((error: unknown) => {
    throw isHandrailError(error) ? refusal("link") : error;
  });
  if (!(await linkIdentity(tx, { ...identity, personId, byGroups: false }))) throw refusal("taken");
  return { personId, after: { name, role: invited.role } };
}

async function enterByIdentity(tx: Db, arrival: Arrival, attempt: Attempt): Promise<Entered> {
  const { issuer, subject } = arrival.identity;
  const found = await lockIdentity(tx, issuer, subject);
  if (found) return enterAgain(tx, arrival, found, attempt);
  const joined = await join(tx, arrival, attempt);
  if (joined) return joined;
  // The owner of the name may be the same user, in another window that was faster.
  const sameByNow = await lockIdentity(tx, issuer, subject);
  if (!sameByNow) throw refusal("taken");
  attempt.act = "sign_in";
  return enterAgain(tx, arrival, sameByNow, attempt);
}

/** Null if the name or the account is taken. */
async function join(tx: Db, { identity, roles }: Arrival, attempt: Attempt): Promise<Entered | null> {
  const role = roleOfGroups(identity.groups, roles);
  if (role === null) throw refusal("no_role");
  attempt.act = "join";
  await refuseLookAlike(tx, identity.email).catch((error: unknown) => {
    throw isHandrailError(error) ? refusal("taken", error.message) : error;
  });
  const personId = uuidv7();
  if (!(await joinPerson(tx, { id: personId, name: identity.email, role }))) return null;
  if (!(await linkIdentity(tx, { ...identity, personId, byGroups: true }))) throw refusal("begin_again");
  return { personId, after: { name: identity.email, role } };
}

/** A role that comes from groups is updated at each sign-in. */
async function enterAgain(
  tx: Db,
  { identity, roles }: Arrival,
  person: IdentityRow,
  attempt: Attempt,
): Promise<Entered> {
  const { person_id: personId, name, role: before } = person;
  if (person.disabled) throw refusal("kept_out");
  const role = person.by_groups ? roleOfGroups(identity.groups, roles) : before;
  if (role === null) throw refusal("no_role");
  if (role !== before) {
    attempt.before = { role: before };
    await changeRole(tx, personId, role);
  }
  return { personId, after: { name, role } };
}
