import { v7 as uuidv7 } from "uuid";
import { accept } from "../../access/invite";
import { beginSession, checkPassword, checkStill, nameOf, type SignedIn } from "../../access/sign-in";
import { ROLES, type Role } from "../../engine/access/permission";
import { HandrailError, isHandrailError } from "../../engine/errors";
import { findDemoPerson, saveDemoPeople } from "../../store/access/people";
import { revokeSession } from "../../store/access/sessions";
import { type Attempt, audited, keepRefusal } from "../audit/audited";
import type { Desk } from "../desk";

/** Not idempotent: the secret in the response is stored nowhere, so that a repeated request cannot return it. */
const asWhom = (desk: Desk, name: string): Desk => ({ ...desk, request: null, by: { ...desk.by, name } });

/**
 * Always a new session, whatever the browser sent: this prevents session fixation.
 * @param replaces the browser's previous session, which ends
 * @throws HandrailError `unauthenticated`, `too_many_attempts`, `too_busy`; the audit log records it
 */
export async function signIn(
  desk: Desk,
  given: { name: string; password: string },
  replaces: string | null,
): Promise<SignedIn> {
  const own = asWhom(desk, nameOf(given.name));
  const attempt: Attempt = { act: "sign_in", runId: null, reason: "Signed in with a password.", before: {} };
  const checked = await checkPassword(desk.db, given, desk.by.address).catch(async (error: unknown) => {
    if (isHandrailError(error)) await keepRefusal(own, { ...attempt, reason: "Tried to sign in." }, error);
    throw error;
  });
  return begun(own, attempt, async (tx) => {
    await checkStill(tx, checked);
    if (replaces !== null) await revokeSession(tx, replaces);
    return beginSession(tx, checked.id, desk.by);
  });
}

/**
 * Signs in as the demo user of this role. @throws HandrailError `not_allowed` if a user outside the demo has the name
 */
export async function signInToDemo(desk: Desk, role: Role, replaces: string | null): Promise<SignedIn> {
  const attempt: Attempt = { act: "sign_in", runId: null, reason: `Signed in to the demo as its ${role}.`, before: {} };
  return begun(asWhom(desk, role), attempt, async (tx) => {
    await saveDemoPeople(
      tx,
      ROLES.map((role) => ({ id: uuidv7(), role })),
    );
    const personId = await findDemoPerson(tx, role);
    if (personId === undefined)
      throw new HandrailError("not_allowed", `"${role}" has a password here: sign in with it.`);
    if (replaces !== null) await revokeSession(tx, replaces);
    return beginSession(tx, personId, desk.by);
  });
}

/** @throws HandrailError `unauthenticated`, `invalid_input` */
export async function setUp(desk: Desk, given: Parameters<typeof accept>[1]): Promise<SignedIn & { name: string }> {
  const accepted = await accept(desk.db, given);
  const attempt: Attempt = { act: "accept_invitation", runId: null, reason: "Used a link.", before: {} };
  const signedIn = await begun(asWhom(desk, accepted.name), attempt, async (tx) =>
    beginSession(tx, await accepted.save(tx), desk.by),
  );
  return { ...signedIn, name: accepted.name };
}

async function begun(desk: Desk, attempt: Attempt, begin: (tx: Desk["db"]) => Promise<SignedIn>): Promise<SignedIn> {
  const { body } = await audited(desk, attempt, async (tx, record) => {
    const signedIn = await begin(tx);
    await record({ sessionId: signedIn.sessionId });
    return { status: 200, body: signedIn };
  });
  return body;
}
