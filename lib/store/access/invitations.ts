import type { Role } from "../../engine/access/permission";
import type { Db, Statement } from "../db";
import type { Grant } from "./people";

interface InvitationRow {
  id: string;
  /** Null: the invited user chooses a name, and is the first user. */
  name: string | null;
  role: Role;
  payload_read: boolean;
  workflows: string[] | null;
  created_by: string;
}

interface NewInvitation extends Grant {
  id: string;
  tokenHash: Buffer;
  name: string | null;
  createdBy: string;
  livesMs: number;
}

/** A new invitation of the same user replaces the link. */
const voidStatement: Statement = {
  name: "void-invitations",
  text: `
    delete from handrail.invitation
    where used_at is null and (name is not distinct from $1 or expires_at < clock_timestamp())`,
};

/*
 * Guarantee: no link from before a change of the person undoes it. Races with: the use of such a link, which locks the
 * invitation first and the person second, as this and the change do; whichever is second sees what the first left.
 */
const voidOfPersonStatement: Statement = {
  name: "void-invitations-of-person",
  text: `
    delete from handrail.invitation
    where used_at is null and name = (select name from handrail.person where id = $1)`,
};

/** Call it before locking the person. */
export async function voidInvitationsOf(tx: Db, personId: string): Promise<void> {
  await tx.query(voidOfPersonStatement, [personId]);
}

/*
 * Guarantee: at most one link for the first user is open. Races with: another process that starts; the index serializes
 * them, and the last one's link is valid.
 */
const insertStatement: Statement = {
  name: "insert-invitation",
  text: `
    insert into handrail.invitation (id, token_hash, name, role, payload_read, workflows, created_by, expires_at)
    values ($1, $2, $3, $4, $5, $6::text[], $7, clock_timestamp() + interval '1 millisecond' * $8::bigint)
    on conflict (role) where name is null and used_at is null do update
      set id = excluded.id, token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
};

/** In a transaction. */
export async function insertInvitation(tx: Db, invitation: NewInvitation): Promise<void> {
  const { id, tokenHash, name, role, payloadRead, workflows, createdBy, livesMs } = invitation;
  await tx.query(voidStatement, [name]);
  await tx.query(insertStatement, [id, tokenHash, name, role, payloadRead, workflows, createdBy, livesMs]);
}

/*
 * Guarantee: a link is used once. Races with: the same link in another request; the second waits for this row, and then
 * finds it used.
 */
const useStatement: Statement = {
  name: "use-invitation",
  text: `
    update handrail.invitation set used_at = clock_timestamp()
    where token_hash = $1 and used_at is null and expires_at > clock_timestamp()
    returning id, name, role, payload_read, workflows, created_by`,
};

export async function spendInvitation(tx: Db, tokenHash: Buffer): Promise<InvitationRow | undefined> {
  return (await tx.query<InvitationRow>(useStatement, [tokenHash]))[0];
}

const lookStatement: Statement = {
  name: "look-at-invitation",
  text: `
    select id, name, role, payload_read, workflows, created_by from handrail.invitation
    where token_hash = $1 and used_at is null and expires_at > clock_timestamp()`,
};

export async function lookAtInvitation(db: Db, tokenHash: Buffer): Promise<InvitationRow | undefined> {
  return (await db.query<InvitationRow>(lookStatement, [tokenHash]))[0];
}
