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
  /** A demo user, who exists only in the demo. */
  demo: boolean;
}

/** What an invitation grants to the user. */
export interface Grant {
  role: Role;
  payloadRead: boolean;
  workflows: readonly string[] | null;
}

const COLUMNS = "id, name, role, payload_read, workflows, created_at, disabled_at, demo";
/** The number of users that one page and one console support. */
const MOST_PEOPLE = 500;

const findStatement: Statement = {
  name: "find-person",
  text: "select id, name, password_hash from handrail.person where name = $1 and disabled_at is null",
};

/** Names are stored in lower case. */
export async function findPerson(db: Db, name: string) {
  const [row] = await db.query<{ id: string; name: string; password_hash: string | null }>(findStatement, [name]);
  return row;
}

/*
 * Guarantee: no session begins with a password that is not the person's any more. Races with: a link that sets another
 * one, or an admin who blocks the person; the sign-in waits for either, and then finds no row.
 */
const holdPasswordStatement: Statement = {
  name: "hold-password",
  text: `
    select from handrail.person where id = $1 and password_hash = $2 and disabled_at is null for share`,
};

/** Whether the person may still sign in with this password; until the end of the transaction, nobody changes that. */
export const holdPassword = async (tx: Db, id: string, passwordHash: string): Promise<boolean> =>
  (await tx.query(holdPasswordStatement, [id, passwordHash])).length > 0;

const namedStatement: Statement = {
  name: "person-named",
  text: `select ${COLUMNS} from handrail.person where name = $1 and disabled_at is null and ($2 or not demo)`,
};

/**
 * The user who may sign in with this name, in lower case.
 * @param inDemo whether demo users may
 */
export async function personNamed(db: Db, name: string, inDemo: boolean): Promise<PersonRow | undefined> {
  return (await db.query<PersonRow>(namedStatement, [name, inDemo]))[0];
}

const listStatement: Statement = {
  name: "list-people",
  text: `select ${COLUMNS} from handrail.person where $1 or not demo order by name limit ${MOST_PEOPLE}`,
};

/** @param inDemo whether demo users are included */
export const listPeople = (db: Db, inDemo: boolean): Promise<PersonRow[]> => db.query(listStatement, [inDemo]);

const namesStatement: Statement = { name: "names-of-people", text: "select name from handrail.person" };

/** Of everybody, also beyond the page of people. */
export const namesOfPeople = async (db: Db): Promise<string[]> =>
  (await db.query<{ name: string }>(namesStatement, [])).map(({ name }) => name);

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
 * Guarantee: at least one admin who may sign in remains. Races with: a concurrent demotion of another admin; both lock
 * all admins, in one order, and the second sees what the first left.
 */
const adminsStatement: Statement = {
  name: "lock-admins",
  text: `
    select id from handrail.person where role = 'admin' and disabled_at is null and workflows is null and not demo
    order by id for no key update`,
};
export const lockAdmins = async (tx: Db): Promise<string[]> =>
  (await tx.query<{ id: string }>(adminsStatement, [])).map(({ id }) => id);

/** Also gives an existing user a new password, or none, and the rights of the invitation: this resets an account. */
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

/** One user for each role, named by it; a taken name keeps its owner. */
const demoStatement: Statement = {
  name: "save-demo-people",
  text: `
    insert into handrail.person (id, name, role, payload_read, demo)
    select id, role, role, role <> 'viewer', true from unnest($1::uuid[], $2::text[]) as wanted (id, role)
    on conflict (name) do nothing`,
};

/** @param people the id and the role of each */
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
