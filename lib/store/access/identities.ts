import type { Role } from "../../engine/access/permission";
import type { Db, Statement } from "../db";

export interface IdentityRow {
  person_id: string;
  name: string;
  role: Role;
  /** Their role is that of their groups, anew with each sign-in. */
  by_groups: boolean;
  disabled: boolean;
}

/** Races with: an admin who changes the person at the same time; the second sees what the first left. */
const lockStatement: Statement = {
  name: "lock-identity",
  text: `
    select person.id as person_id, person.name, person.role, identity.by_groups, person.disabled_at is not null as disabled
    from handrail.person_identity as identity join handrail.person on person.id = identity.person_id
    where identity.issuer = $1 and identity.subject = $2 for no key update of person`,
};

export async function lockIdentity(tx: Db, issuer: string, subject: string): Promise<IdentityRow | undefined> {
  return (await tx.query<IdentityRow>(lockStatement, [issuer, subject]))[0];
}

const joinStatement: Statement = {
  name: "join-person",
  text: `
    insert into handrail.person (id, name, role) values ($1, $2, $3) on conflict (name) do nothing returning id`,
};

/** A person without a password; false where somebody has the name. */
export const joinPerson = async (
  tx: Db,
  { id, name, role }: { id: string; name: string; role: Role },
): Promise<boolean> => (await tx.query(joinStatement, [id, name, role])).length > 0;

/*
 * Guarantee: an account of the provider is one person, for good. Races with: another sign-in of the same account, which waits
 * for this row and then finds whose it is.
 */
const linkStatement: Statement = {
  name: "link-identity",
  text: `
    insert into handrail.person_identity as identity (issuer, subject, person_id, by_groups) values ($1, $2, $3, $4)
    on conflict (issuer, subject) do update set by_groups = excluded.by_groups
    where identity.person_id = excluded.person_id
    returning person_id`,
};

/** False where the account is somebody else's already. */
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
