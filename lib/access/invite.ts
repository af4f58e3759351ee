import { v7 as uuidv7 } from "uuid";
import { nameFingerprint } from "../engine/access/person-name";
import { HandrailError } from "../engine/errors";
import { forgetIdentity } from "../store/access/identities";
import { insertInvitation, lookAtInvitation, spendInvitation } from "../store/access/invitations";
import { type Grant, hasAdmin, lockAdmins, namesOfPeople, personNamed, savePerson } from "../store/access/people";
import { revokeSessionsOf } from "../store/access/sessions";
import type { Db } from "../store/db";
import { hashPassword, refuseWeakPassword } from "./password";
import { hashOf, newSecret } from "./secret";
import { nameOf } from "./sign-in";

const INVITATION_LIVES_MS = 3 * 86_400_000;

/** @throws HandrailError `not_allowed` when another person's name looks the same */
export async function refuseLookAlike(tx: Db, name: string): Promise<void> {
  const fingerprint = nameFingerprint(name);
  const alike = (await namesOfPeople(tx)).find((one) => one !== name && nameFingerprint(one) === fingerprint);
  if (alike !== undefined)
    throw new HandrailError("not_allowed", `This name looks like "${alike}", which is taken. Choose another.`);
}

/**
 * The secret of an invitation link that sets a password; shown once.
 * @throws HandrailError `not_allowed` when another person's name looks the same
 */
export async function invite(tx: Db, person: Grant & { name: string }, by: string): Promise<string> {
  const name = nameOf(person.name);
  await refuseLookAlike(tx, name);
  const secret = newSecret();
  const invitation = { ...person, name, createdBy: by, livesMs: INVITATION_LIVES_MS };
  await insertInvitation(tx, { ...invitation, id: uuidv7(), tokenHash: hashOf(secret) });
  return secret;
}

const gone = () =>
  new HandrailError(
    "unauthenticated",
    "This link was used, or has expired. Ask for a new one, or start Handrail again.",
  );

/** @throws HandrailError `not_allowed` when a link with a smaller role would leave no admin */
async function refuseLastAdmin(tx: Db, name: string, staysAdmin: boolean): Promise<void> {
  if (staysAdmin) return;
  const admins = await lockAdmins(tx);
  if (admins.length === 1 && admins[0] === (await personNamed(tx, name, true))?.id)
    throw new HandrailError(
      "not_allowed",
      "This is the last admin, and the link grants less. Make another person an admin first.",
    );
}

interface Accepted {
  name: string;
  /**
   * Uses the link: creates the person or sets the new password, and ends all their sessions.
   * @throws HandrailError `unauthenticated` when another request was faster, `not_allowed` for the last admin
   */
  save(tx: Db): Promise<string>;
}

/**
 * Checks a link and hashes the password before the transaction: hashing is slow, and must not hold locks.
 * @throws HandrailError `unauthenticated`, `invalid_input`
 */
export async function accept(
  db: Db,
  given: { secret: string; name?: string | undefined; password: string },
): Promise<Accepted> {
  const tokenHash = hashOf(given.secret);
  const seen = await lookAtInvitation(db, tokenHash);
  if (!seen) throw gone();
  const name = seen.name ?? nameOf(given.name ?? "");
  if (name === "") {
    const message = "Enter a name.";
    throw new HandrailError("invalid_input", message, { issues: [{ path: ["name"], message }] });
  }
  refuseWeakPassword(name, given.password);
  const passwordHash = await hashPassword(given.password);
  return { name, save: (tx) => saveInvited(tx, { tokenHash, name, passwordHash }) };
}

/**
 * Uses the link: from now on the person signs in only this way, with a password or with the account that is linked
 * next.
 * @throws HandrailError `unauthenticated`, or `not_allowed` for the last admin
 */
export async function saveInvited(
  tx: Db,
  { tokenHash, name, passwordHash }: { tokenHash: Buffer; name: string; passwordHash: string | null },
): Promise<string> {
  const invitation = await spendInvitation(tx, tokenHash);
  if (!invitation || (invitation.name === null && (await hasAdmin(tx)))) throw gone();
  const { role, payload_read: payloadRead, workflows } = invitation;
  await refuseLastAdmin(tx, name, role === "admin" && workflows === null);
  const personId = await savePerson(tx, { id: uuidv7(), name, passwordHash, role, payloadRead, workflows });
  await forgetIdentity(tx, personId);
  await revokeSessionsOf(tx, personId);
  return personId;
}
