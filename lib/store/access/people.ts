import type { Role } from "../../engine/access/permission";
import type { Db, Statement } from "../db";

export interface PersonRow {
  id: string;
  name: string;
  role: Role;
  payload_read: boolean;
  workflows: string[] | null;
  created_at: Date;
  disabled_at: Date | null;
  /** Of the demo, and nobody outside it. */
  demo: boolean;
}

/** What an invitation promises, and a person gets. */
export interface Grant {
  role: Role;
  payloadRead: boolean;
  workflows: readonly string[] | null;
}

const COLUMNS = "id, name, role, payload_read, workflows, created_at, disabled_at, demo";
/** As many people as one page and one console are made for. */
const MOST_PEOPLE = 500;

const findStatement: Statement = {
  name: "find-person",
  text: "select id, name, password_hash from handrail.person where name = $1 and disabled_at is null",
};

/** Names are kept in lower case. */
export async function findPerson(db: Db, name: string) {
  const [row] = await db.query<{ id: string; name: string; password_hash: string | null }>(findStatement, [name]);
  return row;
}

const namedStatement: Statement = {
  name: "person-named",
  text: `select ${COLUMNS} from handrail.person where name = $1 and disabled_at is null and ($2 or not demo)`,
};

/**
 * Who may sign in under this name, in lower case.
 * @param inDemo whether the demo's people may
 */
export async function personNamed(db: Db, name: string, inDemo: boolean): Promise<PersonRow | undefined> {
  return (await db.query<PersonRow>(namedStatement, [name, inDemo]))[0];
}

const listStatement: Statement = {
  name: "list-people",
  text: `select ${COLUMNS} from handrail.person where $1 or not demo order by name limit ${MOST_PEOPLE}`,
};

/** @param inDemo whether the demo's people are among them */
export const listPeople = (db: Db, inDemo: boolean): Promise<PersonRow[]> => db.query(listStatement, [inDemo]);

const lockStatement: Statement = {
  name: "lock-person",
  text: `select ${COLUMNS} from handrail.person where id = $1 for no key update`,
};
export async function lockPerson(tx: Db, id: string): Promise<PersonRow | undefined> {
  return (await tx.query<PersonRow>(lockStatement, [id]))[0];
}

const anyAdminStatement: Statement = {
  name: "any-admin",
  text: `
    select from handrail.person where role = 'admin' and disabled_at is null and workflows is null and not demo limit 1`,
};
export const hasAdmin = async (db: Db): Promise<boolean> => (await db.query(anyAdminStatement, [])).length > 0;

/*
 * Guarantee: at least one admin who may sign in remains. Races with: another who demotes another admin at the same time; both
 * lock all admins, in one order, and the second sees what the first left.
 */
const adminsStatement: Statement = {
  name: "lock-admins",
  text: `
    select id from handrail.person where role = 'admin' and disabled_at is null and workflows is null and not demo
    order by id for no key update`,
};
export const lockAdmins = async (tx: Db): Promise<string[]> =>
  (await tx.query<{ id: string }>(adminsStatement, [])).map(({ id }) => id);

/** Also gives a person who is there a new password, or none, and what the invitation grants: that is how one is reset. */
const saveStatement: Statement = {
  name: "save-person",
  text: `
    insert into handrail.person (id, name, password_hash, role, payload_read, workflows) values ($1, $2, $3, $4, $5, $6::text[])
    on conflict (name) do update set password_hash = excluded.password_hash, role = excluded.role,
      payload_read = excluded.payload_read, workflows = excluded.workflows, disabled_at = null, demo = false
    returning id`,
};
export async function savePerson(
  tx: Db,
  person: Grant & { id: string; name: string; passwordHash: string | null },
): Promise<string> {
  const { id, name, passwordHash, role, payloadRead, workflows } = person;
  const rows = await tx.query<{ id: string }>(saveStatement, [id, name, passwordHash, role, payloadRead, workflows]);
  return (rows[0] as { id: string }).id;
}

const roleStatement: Statement = {
  name: "change-role",
  text: "update handrail.person set role = $2 where id = $1",
};
export async function changeRole(tx: Db, id: string, role: Role): Promise<void> {
  await tx.query(roleStatement, [id, role]);
}

const changeStatement: Statement = {
  name: "change-person",
  text: `
    update handrail.person set role = $2, payload_read = $3, workflows = $4::text[],
      disabled_at = case when $5::boolean then coalesce(disabled_at, clock_timestamp()) end
    where id = $1`,
};
export async function changePerson(tx: Db, id: string, change: Grant & { disabled: boolean }): Promise<void> {
  const { role, payloadRead, workflows, disabled } = change;
  await tx.query(changeStatement, [id, role, payloadRead, workflows, disabled]);
}

/** One for each role, named by it; a name that is taken stays whose it is. */
const demoStatement: Statement = {
  name: "save-demo-people",
  text: `
    insert into handrail.person (id, name, role, payload_read, demo)
    select id, role, role, role <> 'viewer', true from unnest($1::uuid[], $2::text[]) as wanted (id, role)
    on conflict (name) do nothing`,
};

/** @param people of each the id to be, and the role */
export async function saveDemoPeople(tx: Db, people: readonly { id: string; role: Role }[]): Promise<void> {
  await tx.query(demoStatement, [people.map(({ id }) => id), people.map(({ role }) => role)]);
}

const findDemoStatement: Statement = {
  name: "find-demo-person",
  text: "select id from handrail.person where demo and name = $1",
};

export async function findDemoPerson(tx: Db, role: Role): Promise<string | undefined> {
  return (await tx.query<{ id: string }>(findDemoStatement, [role]))[0]?.id;
}
