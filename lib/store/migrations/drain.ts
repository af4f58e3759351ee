import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { HandrailError } from "../../engine/errors";

/** The request expires this long after its last renewal: a dead migrator does not keep workers stopped. */
const ASKED_FOR = "30 s";
const LOOK_AGAIN_MS = 250;

/** SQL condition on a row of `handrail.worker`. */
export const ALIVE =
  "stopped_at is null and lease_expires_at > clock_timestamp() and to_jsonb(worker) ->> 'language' is null";

/** Names of the live workers. Those in other languages work through the API, and do not use the schema. */
export async function livingWorkers(db: pg.Client): Promise<string[]> {
  if (!(await isThere(db, "worker"))) return [];
  const { rows } = await db.query<{ name: string }>(`select name from handrail.worker where ${ALIVE} order by id`);
  return rows.map(({ name }) => name);
}

/**
 * Asks the workers to drain, and waits until none is left. They notice with their next heartbeat: they claim nothing
 * more, let bodies finish, release the rest and exit. New ones wait until the request has ended: `endDrain`.
 * @throws HandrailError `unavailable` with their names when some are still there after `patienceMs`
 */
export async function drainWorkers(
  db: pg.Client,
  migration: string,
  { patienceMs, say }: { patienceMs: number; say: (text: string) => void },
): Promise<void> {
  const canAsk = await isThere(db, "drain");
  const deadline = performance.now() + patienceMs;
  for (let reported = false; ; reported = true) {
    if (canAsk) await ask(db, migration);
    const living = await livingWorkers(db);
    if (living.length === 0) return;
    if (performance.now() > deadline)
      throw new HandrailError("unavailable", stillThere(migration, living, patienceMs, canAsk));
    if (!reported) say(`The migration "${migration}" asks ${counted(living)} to stand aside …`);
    await delay(LOOK_AGAIN_MS);
  }
}

/** Workers may start again. */
export async function endDrain(db: pg.Client): Promise<void> {
  if (await isThere(db, "drain")) await db.query("delete from handrail.drain");
}

async function ask(db: pg.Client, migration: string): Promise<void> {
  await db.query(
    `insert into handrail.drain (migration, until_at) values ($1, clock_timestamp() + interval '${ASKED_FOR}')
     on conflict (one) do update set migration = excluded.migration, until_at = excluded.until_at`,
    [migration],
  );
}

async function isThere(db: pg.Client, table: string): Promise<boolean> {
  const { rows } = await db.query(`select to_regclass('"handrail".' || $1) is not null as there`, [table]);
  return rows[0].there;
}

const counted = (names: readonly string[]) => (names.length === 1 ? "1 worker" : `${names.length} workers`);

function stillThere(migration: string, living: readonly string[], patienceMs: number, asked: boolean): string {
  const why = asked
    ? `were asked to stand aside, and are still at work after ${patienceMs / 1_000} s`
    : "are at work, and of a version that cannot be asked to stand aside";
  return (
    `The migration "${migration}" needs every worker gone, and these ${why}: ${living.join(", ")}. ` +
    "Nothing of it was applied. Stop them (SIGTERM lets their steps finish), then migrate again."
  );
}
