import type { Db, Statement } from "../db";

/** One call of the store deletes no more. */
const AT_ONCE = 100;

/*
 * Guarantee: a blob that a row refers to, or still may refer to, stays. A claim's record is written under its epoch alone, so the blobs
 * of a claim that is over are decided. A start holds no claim: if it comes after this, it is refused (`hold_blob`). Races with: writers
 * in open transactions, whose blobs are locked and skipped.
 */
const leftBehindStatement: Statement = {
  name: "blobs-left-behind",
  text: `
    with left_behind as (
      select key from handrail.blob
      where not held and gone_at is null and made_at < (select clock_timestamp()) - $1::float8 * interval '1 ms'
        and not exists (select from handrail.run
          where run.id = blob.writer_run_id and run.epoch = blob.writer_epoch and run.worker_id is not null)
      order by made_at limit ${AT_ONCE} for update skip locked
    )
    update handrail.blob set gone_at = clock_timestamp(), due_at = clock_timestamp()
    from left_behind where blob.key = left_behind.key`,
};

export async function letLeftBehindGo(db: Db, olderThanMs: number): Promise<void> {
  await db.query(leftBehindStatement, [olderThanMs]);
}

/** Counted before the store is called: a call that kills its worker is repeated as rarely as one that fails. */
const takeStatement: Statement = {
  name: "take-blobs-to-delete",
  text: `
    with due as (
      select key from handrail.blob where gone_at is not null and due_at <= (select clock_timestamp())
      order by due_at limit ${AT_ONCE} for update skip locked
    )
    update handrail.blob set failures = least(failures + 1, 100),
      due_at = clock_timestamp() + least(30 * 2 ^ least(failures, 10), 3600) * interval '1 s'
    from due where blob.key = due.key
    returning blob.key`,
};

/** Those that are to be deleted now. Until they are forgotten, they come again after pauses that grow to an hour. */
export async function takeBlobsToDelete(db: Db): Promise<{ keys: string[]; more: boolean }> {
  const keys = (await db.query<{ key: string }>(takeStatement, [])).map(({ key }) => key);
  return { keys, more: keys.length === AT_ONCE };
}

const forgetStatement: Statement = {
  name: "forget-blobs",
  text: `delete from handrail.blob where key = any ($1::text[]) and gone_at is not null`,
};

/** They are in the store no more. */
export async function forgetBlobs(db: Db, keys: readonly string[]): Promise<void> {
  await db.query(forgetStatement, [keys]);
}

const refusedStatement: Statement = {
  name: "blobs-not-deleted",
  text: `update handrail.blob set error = $2 where key = any ($1::text[])`,
};

export async function noteNotDeleted(db: Db, keys: readonly string[], error: string): Promise<void> {
  await db.query(refusedStatement, [keys, error]);
}
