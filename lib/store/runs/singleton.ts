import { type Db, type Statement, sqlState } from "../db";
import { nameOf } from "./starter";

export interface WithHolder {
  /** Another live run with its singleton key: this one has ended, and cannot be reopened beside that one. */
  singleton_holder: string | null;
}

/** For a row `run`. */
export const SINGLETON_HOLDER = `(select other.id::text from handrail.run as other
        where other.workflow = run.workflow and other.singleton_key = run.singleton_key
          and other.singleton_key is not null and other.finished_at is null and other.id <> run.id)`;

const holdersStatement: Statement = {
  name: "singleton-holders",
  text: `
    select run.workflow, run.singleton_key as key, run.id::text
    from (select distinct * from unnest($1::text[], $2::text[]) as given (workflow, key)) as given
    join handrail.run on run.workflow = given.workflow and run.singleton_key = given.key
    where run.singleton_key is not null and run.finished_at is null`,
};

interface SingletonKey {
  workflow: string;
  key: string;
}

/** The live runs that have these keys, by `nameOf` workflow and key. */
export async function holdersOf(db: Db, keys: readonly SingletonKey[]): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const found = await db.query<SingletonKey & { id: string }>(holdersStatement, [
    keys.map(({ workflow }) => workflow),
    keys.map(({ key }) => key),
  ]);
  return new Map(found.map(({ workflow, key, id }) => [nameOf(workflow, key), id]));
}

const takeStatement: Statement = {
  name: "take-singleton",
  text: `select handrail.take_singleton($1::uuid, $2::bigint, $3)::text as holder`,
};

/**
 * The claimed run takes its key, unless another live run has it: then that one's id. Races with: starts and other
 * claims with the same key, one of which gets it; a takeover (then nothing is written, and the next record finds out).
 */
export async function takeSingleton(db: Db, runId: string, epoch: number, key: string): Promise<string | null> {
  const [row] = await db.query<{ holder: string | null }>(takeStatement, [runId, epoch, key]);
  return row?.holder ?? null;
}

const UNIQUE_VIOLATION = "23505";

/** The write would have given a second live run the key. */
export const isSingletonConflict = (error: unknown): boolean =>
  sqlState(error) === UNIQUE_VIOLATION && (error as { constraint?: unknown }).constraint === "run_singleton";
