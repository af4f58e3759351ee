import type { Role } from "../../engine/access/permission";
import type { Db, Statement } from "../db";

interface SessionOwner {
  id: string;
  person_id: string;
  name: string;
  role: Role;
  payload_read: boolean;
  workflows: string[] | null;
  demo: boolean;
}

/** A session expires after this long without a request. */
const SESSION_IDLE_MS = 12 * 3_600_000;
/** And in any case after this long. */
const SESSION_MAX_MS = 7 * 86_400_000;

/** A session is valid by the database's clock: not revoked, not too old, not idle for too long. */
const LIVES = `
  session.revoked_at is null and session.expires_at > clock_timestamp()
    and session.seen_at > clock_timestamp() - interval '1 millisecond' * ${SESSION_IDLE_MS}`;

const openStatement: Statement = {
  name: "open-session",
  text: `
    with gone as (
      delete from handrail.session where person_id = $3 and expires_at < clock_timestamp()
    )
    insert into handrail.session (id, token_hash, person_id, address, user_agent, expires_at)
    values ($1, $2, $3, $4, $5, clock_timestamp() + interval '1 millisecond' * ${SESSION_MAX_MS})`,
};

interface NewSession {
  id: string;
  tokenHash: Buffer;
  personId: string;
  address: string | null;
  userAgent: string | null;
}

export async function openSession(tx: Db, session: NewSession): Promise<void> {
  const { id, tokenHash, personId, address, userAgent } = session;
  await tx.query(openStatement, [id, tokenHash, personId, address, userAgent]);
}

/*
 * Races with: a revocation, which it does not block: a request admitted just before is answered, no later one is. The
 * last use is written once a minute, not with each request.
 */
const findStatement: Statement = {
  name: "find-session",
  text: `
    with found as (
      select session.id, session.person_id, session.seen_at, person.name, person.role, person.payload_read, person.workflows,
        person.demo
      from handrail.session join handrail.person on person.id = session.person_id
      where session.token_hash = $1 and person.disabled_at is null and ${LIVES}
    ), seen as (
      update handrail.session set seen_at = clock_timestamp()
      where id = (select id from found where seen_at < clock_timestamp() - interval '1 minute') and revoked_at is null
    )
    select id, person_id, name, role, payload_read, workflows, demo from found`,
};

export async function findSession(db: Db, tokenHash: Buffer): Promise<SessionOwner | undefined> {
  return (await db.query<SessionOwner>(findStatement, [tokenHash]))[0];
}

export interface SessionRow {
  id: string;
  person_id: string;
  name: string;
  created_at: Date;
  seen_at: Date;
  expires_at: Date;
  address: string | null;
  user_agent: string | null;
}

const MOST_SESSIONS = 200;

const listStatement: Statement = {
  name: "list-sessions",
  text: `
    select session.id, session.person_id, person.name, session.created_at, session.seen_at, session.expires_at,
      session.address, session.user_agent
    from handrail.session join handrail.person on person.id = session.person_id
    where ($1::uuid is null or session.person_id = $1) and ($2 or not person.demo) and ${LIVES}
    order by session.id desc limit ${MOST_SESSIONS}`,
};

/**
 * The valid sessions, newest first; of all users if no user is given.
 * @param inDemo whether sessions of demo users are valid
 */
export const listSessions = (db: Db, personId: string | null, inDemo: boolean): Promise<SessionRow[]> =>
  db.query(listStatement, [personId, inDemo]);

const revokeStatement: Statement = {
  name: "revoke-session",
  text: `
    update handrail.session set revoked_at = clock_timestamp() where id = $1 and revoked_at is null returning person_id`,
};

/** Undefined if no valid one exists. */
export async function revokeSession(tx: Db, id: string): Promise<string | undefined> {
  return (await tx.query<{ person_id: string }>(revokeStatement, [id]))[0]?.person_id;
}

const revokeAllStatement: Statement = {
  name: "revoke-sessions-of-person",
  text: `update handrail.session set revoked_at = clock_timestamp() where person_id = $1 and revoked_at is null`,
};

export async function revokeSessionsOf(tx: Db, personId: string): Promise<void> {
  await tx.query(revokeAllStatement, [personId]);
}
