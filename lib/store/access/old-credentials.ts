import type { Db, Statement } from "../db";

/** Expired credentials are listed this long. The audit log keeps them permanently. */
const ENDED_KEPT_MS = 30 * 86_400_000;

/* Races with: nothing that matters. Expired sessions, tokens and links are never valid again. */
const deleteStatement: Statement = {
  name: "delete-old-credentials",
  text: `
    with long_ago as materialized (
      select clock_timestamp() - $1::float8 * interval '1 ms' as at
    ), no_session as (
      delete from handrail.session where id in (
        select id from handrail.session, long_ago where least(expires_at, revoked_at) < long_ago.at
        limit $2::int for update of session skip locked)
      returning id
    ), no_token as (
      delete from handrail.token where id in (
        select id from handrail.token, long_ago where least(expires_at, revoked_at) < long_ago.at
        limit $2::int for update of token skip locked)
      returning id
    ), no_invitation as (
      delete from handrail.invitation where id in (
        select id from handrail.invitation, long_ago where least(expires_at, used_at) < long_ago.at
        limit $2::int for update of invitation skip locked)
      returning id
    )
    select (select count(*) from no_session)::int + (select count(*) from no_token)::int
      + (select count(*) from no_invitation)::int as deleted`,
};

/** Deletes up to `limit` each of sessions, tokens and invitations that expired long ago; returns how many. */
export async function deleteOldCredentials(db: Db, limit: number): Promise<number> {
  const [row] = await db.query<{ deleted: number }>(deleteStatement, [ENDED_KEPT_MS, limit]);
  return row?.deleted ?? 0;
}
