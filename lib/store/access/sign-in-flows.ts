import type { Db, Statement } from "../db";

/** A sign-in between the redirect to the provider and its callback. */
export interface Flow {
  /** The SHA-256 of the browser's secret. */
  id: Buffer;
  issuer: string;
  /** A path on this server. */
  next: string;
  invitationHash: Buffer | null;
}

const FLOW_LIVES_MS = 600_000;

const beginStatement: Statement = {
  name: "begin-sign-in-flow",
  text: `
    with old as (
      delete from handrail.sign_in_flow where id in (
        select id from handrail.sign_in_flow where expires_at < (select clock_timestamp()) order by expires_at limit 20
        for update skip locked)
    )
    insert into handrail.sign_in_flow (id, issuer, next, invitation_hash, expires_at)
    values ($1, $2, $3, $4, clock_timestamp() + interval '1 millisecond' * ${FLOW_LIVES_MS})`,
};

export async function beginFlow(db: Db, { id, issuer, next, invitationHash }: Flow): Promise<void> {
  await db.query(beginStatement, [id, issuer, next, invitationHash]);
}

/* Guarantee: a callback is used once. Races with: the same callback in another request, which finds nothing. */
const takeStatement: Statement = {
  name: "take-sign-in-flow",
  text: `
    delete from handrail.sign_in_flow where id = $1 and issuer = $2 and expires_at > clock_timestamp()
    returning next, invitation_hash as "invitationHash"`,
};

export async function takeFlow(db: Db, id: Buffer, issuer: string) {
  return (await db.query<Pick<Flow, "next" | "invitationHash">>(takeStatement, [id, issuer]))[0];
}
