import type { Db, Statement } from "../db";

/** How many attempts are free, and the maximum wait between later ones; waits double from one second on. */
export interface AttemptLimit {
  free: number;
  longestMs: number;
}

/** Failed attempts are forgotten after this long. */
const FORGOTTEN = "interval '15 minutes'";

/*
 * Guarantee: of any number of concurrent attempts, those beyond the limit are rejected: each is counted before its
 * password is checked, under the row's lock. A success removes its own count.
 */
const takeStatement: Statement = {
  name: "take-sign-in-attempt",
  text: `
    with old as (
      delete from handrail.sign_in_attempt where key in (
        select key from handrail.sign_in_attempt where last_at < (select clock_timestamp()) - interval '1 day' and key <> $1
        order by last_at limit 20 for update skip locked)
    )
    insert into handrail.sign_in_attempt as attempt (key, failures, last_at, blocked_until)
    values ($1, 1, clock_timestamp(), clock_timestamp())
    on conflict (key) do update set
      failures = case when attempt.last_at < clock_timestamp() - ${FORGOTTEN} then 1 else least(attempt.failures + 1, 1000) end,
      last_at = clock_timestamp(),
      blocked_until = clock_timestamp() + case
        when attempt.last_at < clock_timestamp() - ${FORGOTTEN} or attempt.failures < $2::int then interval '0'
        else interval '1 millisecond' * least($3::int, 1000 * power(2, least(attempt.failures - $2::int, 20))) end
    where attempt.blocked_until <= clock_timestamp()
    returning key`,
};

const waitStatement: Statement = {
  name: "wait-for-sign-in",
  text: `
    select greatest(1, ceil(extract(epoch from blocked_until - clock_timestamp()) * 1000))::int as wait_ms
    from handrail.sign_in_attempt where key = $1`,
};

/** Null if the attempt is allowed; else how long to wait, in milliseconds. */
export async function takeAttempt(db: Db, key: string, { free, longestMs }: AttemptLimit): Promise<number | null> {
  if ((await db.query(takeStatement, [key, free, longestMs])).length > 0) return null;
  return (await db.query<{ wait_ms: number }>(waitStatement, [key]))[0]?.wait_ms ?? 1;
}

const forgetStatement: Statement = {
  name: "forget-sign-in-attempts",
  text: "delete from handrail.sign_in_attempt where key = $1",
};

export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await db.query(forgetStatement, [key]);
}

const giveBackStatement: Statement = {
  name: "give-back-sign-in-attempt",
  text: "update handrail.sign_in_attempt set failures = failures - 1 where key = $1 and failures > 0",
};

/** Removes the count of a successful attempt; failed ones still count. */
export async function giveBackAttempt(db: Db, key: string): Promise<void> {
  await db.query(giveBackStatement, [key]);
}
