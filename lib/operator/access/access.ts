import { v7 as uuidv7 } from "uuid";
import { invite } from "../../access/invite";
import { hashOf, newSecret } from "../../access/secret";
import type { Scope } from "../../engine/access/permission";
import { HandrailError } from "../../engine/errors";
import { voidInvitationsOf } from "../../store/access/invitations";
import {
  changePerson as change,
  type Grant,
  listPeople,
  lockAdmins,
  lockPerson,
  type PersonRow,
} from "../../store/access/people";
import { listSessions, revokeSession as revoke, revokeSessionsOf, type SessionRow } from "../../store/access/sessions";
import { insertToken, listTokens, revokeToken as revokeTheToken, type TokenRow } from "../../store/access/tokens";
import type { Db } from "../../store/db";
import { type Attempt, audited } from "../audit/audited";
import type { Desk } from "../desk";
import { asInstant, asInstantOrNull } from "../values";

const DAY_MS = 86_400_000;

const attemptOf = (act: string, reason: string, details: object): Attempt => ({
  act,
  runId: null,
  reason,
  details,
  before: {},
});

/** The response is the only place with the secret: neither the idempotency record nor the audit log keeps it. */
export async function invitePerson(desk: Desk, given: Grant & { name: string; reason: string }) {
  const { reason, ...person } = given;
  let secret: string | null = null;
  const { body } = await audited(desk, attemptOf("invite_person", reason, person), async (tx, record) => {
    secret = await invite(tx, person, desk.by.name);
    await record({});
    return { status: 201, body: { name: person.name } };
  });
  return { ...body, secret };
}

/**
 * Also voids the links that were made for the person before: one would bring back what it granted.
 * @throws HandrailError `not_found`, or `not_allowed` if no admin would be left
 */
export async function changePerson(desk: Desk, given: Grant & { id: string; disabled: boolean; reason: string }) {
  const { id, reason, ...to } = given;
  const attempt = attemptOf("change_person", reason, to);
  const { body } = await audited(desk, attempt, async (tx, record) => {
    await voidInvitationsOf(tx, id);
    const admins = await lockAdmins(tx);
    const before = await lockPerson(tx, id);
    if (!before) throw new HandrailError("not_found", "There is no such person.");
    attempt.before = { ...personView(before) };
    if (before.demo)
      throw new HandrailError("not_allowed", "The demo's people stay as they are. Invite one to change.");
    const staysAdmin = to.role === "admin" && !to.disabled && to.workflows === null;
    if (!staysAdmin && admins.length === 1 && admins[0] === id)
      throw new HandrailError("not_allowed", "This is the last admin. Make another person an admin first.");
    await change(tx, id, to);
    if (to.disabled) await revokeSessionsOf(tx, id);
    await record({ name: before.name });
    return { status: 200, body: personView((await lockPerson(tx, id)) as PersonRow) };
  });
  return body;
}

interface NewTokenAct {
  name: string;
  scopes: readonly Scope[];
  workflows: readonly string[] | null;
  expiresInDays: number;
  reason: string;
}

/** As for an invitation: the secret is returned once. */
export async function mintToken(desk: Desk, { reason, ...details }: NewTokenAct) {
  const { name, scopes, workflows, expiresInDays } = details;
  let issued: string | null = null;
  const { body } = await audited(desk, attemptOf("mint_token", reason, details), async (tx, record) => {
    const secret = newSecret("hr_");
    const made = { id: uuidv7(), name, tokenHash: hashOf(secret), scopes, workflows, createdBy: desk.by.name };
    const token = tokenView(await insertToken(tx, { ...made, livesMs: expiresInDays * DAY_MS }));
    await record({ tokenId: token.id });
    issued = secret;
    return { status: 201, body: { token } };
  });
  return { ...body, secret: issued };
}

/** @throws HandrailError `not_found` */
export async function revokeToken(desk: Desk, { id, reason }: { id: string; reason: string }) {
  const { body } = await audited(desk, attemptOf("revoke_token", reason, { tokenId: id }), async (tx, record) => {
    const row = await revokeTheToken(tx, id);
    if (!row) throw new HandrailError("not_found", "There is no such token, or it is revoked already.");
    await record({ name: row.name });
    return { status: 200, body: tokenView(row) };
  });
  return body;
}

/** @throws HandrailError `not_found`, also for a session of another user when `ownerId` is set */
export async function revokeSession(desk: Desk, act: { id: string; reason: string; ownerId: string | null }) {
  const { id, reason, ownerId } = act;
  await audited(desk, attemptOf("revoke_session", reason, { sessionId: id }), async (tx, record) => {
    const owner = await revoke(tx, id);
    if (owner === undefined || (ownerId !== null && owner !== ownerId))
      throw new HandrailError("not_found", "There is no such session, or it is over already.");
    await record({ personId: owner });
    return { status: 200, body: {} };
  });
}

export const readPeople = async (db: Db, inDemo: boolean) => ({
  people: (await listPeople(db, inDemo)).map(personView),
});
export const readTokens = async (db: Db) => ({ tokens: (await listTokens(db)).map(tokenView) });

export async function readSessions(db: Db, of: { personId: string | null; currentId: string | null; inDemo: boolean }) {
  const sessions = await listSessions(db, of.personId, of.inDemo);
  return { sessions: sessions.map((row) => sessionView(row, of.currentId)) };
}

const personView = (row: PersonRow) => ({
  id: row.id,
  name: row.name,
  role: row.role,
  payloadRead: row.payload_read,
  workflows: row.workflows,
  createdAt: asInstant(row.created_at),
  disabledAt: asInstantOrNull(row.disabled_at),
});

const tokenView = (row: TokenRow) => ({
  id: row.id,
  name: row.name,
  scopes: row.scopes,
  workflows: row.workflows,
  createdAt: asInstant(row.created_at),
  createdBy: row.created_by,
  expiresAt: asInstant(row.expires_at),
  usedAt: asInstantOrNull(row.used_at),
  revokedAt: asInstantOrNull(row.revoked_at),
});

const sessionView = (row: SessionRow, currentId: string | null) => ({
  id: row.id,
  name: row.name,
  createdAt: asInstant(row.created_at),
  seenAt: asInstant(row.seen_at),
  expiresAt: asInstant(row.expires_at),
  address: row.address,
  userAgent: row.user_agent,
  current: row.id === currentId,
});
