import type { ProblemEvent } from "../../engine/problems/problem";
import type { Db, Statement } from "../db";
import type { RowInstant } from "../rows";

/** Of one owner: lists of what they watch read all of it. */
export const MOST_WATCHED = 200;
const MOST_WATCHERS = 50;

const countStatement: Statement = {
  name: "count-watched-problems",
  text: "select count(*)::int as count from handrail.problem_watch where owner_id = $1",
};

export const countWatched = async (tx: Db, ownerId: string): Promise<number> =>
  (await tx.query<{ count: number }>(countStatement, [ownerId]))[0]?.count ?? 0;

const insertStatement: Statement = {
  name: "watch-problem",
  text: `
    insert into handrail.problem_watch (problem_id, owner_id, name, seen)
    select $1::uuid, $2, $3, coalesce(max(id), 0) from handrail.problem_history where problem_id = $1::uuid`,
};

/** What has happened so far counts as seen. The transaction holds the problem, and has found that the owner does not watch it. */
export async function insertWatch(tx: Db, problemId: string, owner: { id: string; name: string }): Promise<void> {
  await tx.query(insertStatement, [problemId, owner.id, owner.name]);
}

const deleteStatement: Statement = {
  name: "stop-watching-problem",
  text: "delete from handrail.problem_watch where problem_id = $1::uuid and owner_id = $2",
};

export async function deleteWatch(tx: Db, problemId: string, ownerId: string): Promise<void> {
  await tx.query(deleteStatement, [problemId, ownerId]);
}

const seenStatement: Statement = {
  name: "mark-problem-seen",
  text: `
    update handrail.problem_watch set seen = greatest(seen, least($3::bigint,
      (select coalesce(max(id), 0) from handrail.problem_history where problem_id = $1::uuid)))
    where problem_id = $1::uuid and owner_id = $2`,
};

/** The owner has seen the history up to this entry; nothing changes if they do not watch it. */
export async function markSeen(db: Db, problemId: string, ownerId: string, entry: string): Promise<void> {
  await db.query(seenStatement, [problemId, ownerId, entry]);
}

interface WatchRow {
  problem_id: string;
  /** The latest entry of the history that the owner has not seen; null without one. */
  what: ProblemEvent | null;
  by: string | null;
  at: RowInstant | null;
}

const ofOwnerStatement: Statement = {
  name: "watches-of-owner",
  text: `
    select watch.problem_id::text, unseen.what, unseen."by", unseen.at
    from handrail.problem_watch as watch left join lateral (
      select what, "by", at from handrail.problem_history where problem_id = watch.problem_id and id > watch.seen
      order by id desc limit 1) as unseen on true
    where watch.owner_id = $1 and watch.problem_id = any ($2::uuid[])`,
};

/** Of these problems, those that the owner watches. */
export async function watchesOf(db: Db, ownerId: string, problemIds: readonly string[]): Promise<WatchRow[]> {
  return problemIds.length === 0 ? [] : db.query<WatchRow>(ofOwnerStatement, [ownerId, problemIds]);
}

const watchersStatement: Statement = {
  name: "watchers-of-problem",
  text: `
    select watch.owner_id, watch.name from handrail.problem_watch as watch
    left join handrail.person on person.id = watch.person_id
    left join handrail.token on token.id = watch.token_id
    where watch.problem_id = $1::uuid and person.disabled_at is null and token.revoked_at is null
    order by watch.since, watch.owner_id limit ${MOST_WATCHERS}`,
};

/** In the order in which they began; without those who can no longer sign in. */
export const watchersOf = (db: Db, problemId: string): Promise<{ owner_id: string; name: string }[]> =>
  db.query(watchersStatement, [problemId]);
