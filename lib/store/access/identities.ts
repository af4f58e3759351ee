import type { Role } from "../../engine/access/permission";
import type { Db, Statement } from "../db";

export interface IdentityRow {
  person_id: string;
  name: string;
  role: Role;
  /** The role comes from the user's groups, again at each sign-in. */
  by_groups: boolean;
  disabled: boolean;
}

/*
 * Races with: an admin who changes the user, or a link that takes the account from them, at the same time; the second
 * sees what the first left. The person is locked first, as by the link, which then deletes the account.
 */
const lockStatement: Statement = {
  name: "lock-identity",
  text: `
    select person.id as person_id, person.name, person.role, identity.by_groups, person.disabled_at is not null as disabled
    from handrail.person_identity as identity join handrail.person on person.id = identity.person_id
    where identity.issuer = $1 and identity.subject = $2 for no key update of person, identity`,
};

export async function lockIdentity(tx: Db, issuer: string, subject: string): Promise<IdentityRow | undefined> {
  return (await tx.query<IdentityRow>(lockStatement, [issuer, subject]))[0];
}

const joinStatement: Statement = {
  name: "join-person",
  text: `
    insert into handrail.person (id, name, role) values ($1, $2, $3) on conflict (name) do nothing returning id`,
};

/** A user without a password; false if the name is taken. */
export const joinPerson = async (
  tx: Db,
  { id, name, role }: { id: string; name: string; role: Role },
): Promise<boolean> => (await tx.query(joinStatement, [id, name, role])).length > 0;

/*
 * Guarantee: a provider account belongs to one user, permanently. Races with: another sign-in of the same account,
 * which waits for this row and then finds its user.
 */
const linkStatement: Statement = {
  name: "link-identity",
  text: `
    insert into handrail.person_identity as identity (issuer, subject, person_id, by_groups) values ($1, $2, $3, $4)
    on conflict (issuer, subject) do update set by_groups = excluded.by_groups
    where identity.person_id = excluded.person_id
    returning person_id`,
};

/** False if the account belongs to another user. */
export async function linkIdentity(
  tx: Db,
  identity: { issuer: string; subject: string; personId: string; byGroups: boolean },
): Promise<boolean> {
  const { issuer, subject, personId, byGroups } = identity;
  return (await tx.query(linkStatement, [issuer, subject, personId, byGroups])).length > 0;
}

const forgetStatement: Statement = {
  name: "forget-identity",
  text: "delete from handrail.person_identity where person_id = $1",
};

export async function forgetIdentity(tx: Db, personId: string): Promise<void> {
  await tx.query(forgetStatement, [personId]);
}
