import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { HandrailError } from "../../engine/errors";
import { USUAL_SCHEMA } from "../../engine/schema-name";
import { inSchema, schemaName } from "../schema";
import { drainWorkers, livingWorkers } from "./drain";
import { asSent, type Migration } from "./files";
import { record } from "./history";

/** Bounds how long a migration waits for a table lock: every later query on the table queues behind it. */
const LOCK_TIMEOUT = "1s";
/** Then other queries are let through for a while. */
const BETWEEN_TRIES_MS = 1_000;
/** One statement of an online migration holds its locks for no longer than this. */
const ONLINE_STATEMENT_TIMEOUT = "5s";

const LOCK_NOT_AVAILABLE = "55P03";
const DEADLOCK = "40P01";
const QUERY_CANCELED = "57014";

export interface Patience {
  /** For workers to drain, in milliseconds. */
  drainMs: number;
  /** How long to wait, in milliseconds, for the locks that the migration needs. */
  lockMs: number;
  say: (text: string) => void;
}

/**
 * Applies one migration while others use the database: it waits for locks in short attempts, and where workers must not
 * run it waits until they have drained. A migration and its record are one transaction.
 * @throws HandrailError `unavailable`: nothing of it was applied
 */
export async function applyMigration(db: pg.Client, migration: Migration, patience: Patience): Promise<void> {
  const deadline = performance.now() + patience.lockMs;
  for (let reported = false; ; ) {
    if (!migration.online) await drainWorkers(db, migration.name, { patienceMs: patience.drainMs, say: patience.say });
    try {
      if (migration.concurrentIndex) return await buildBesideEverybody(db, migration, migration.concurrentIndex);
      if (await applyWhole(db, migration)) return;
    } catch (error) {
      if (![LOCK_NOT_AVAILABLE, DEADLOCK].includes(codeOf(error) ?? ""))
        throw new HandrailError("unavailable", failure(migration, error), {}, { cause: error });
      if (performance.now() > deadline)
        throw new HandrailError("unavailable", await inTheWay(db, migration, patience.lockMs));
      if (!reported)
        patience.say(`The migration "${migration.name}" waits for a moment in which nobody holds what it changes …`);
      reported = true;
      await delay(BETWEEN_TRIES_MS);
    }
  }
}

/** False: a worker has started since the others drained. */
async function applyWhole(db: pg.Client, migration: Migration): Promise<boolean> {
  try {
    await db.query(`begin; set local lock_timeout = '${LOCK_TIMEOUT}'`);
    if (migration.online) await db.query(`set local statement_timeout = '${ONLINE_STATEMENT_TIMEOUT}'`);
    else if (!(await lockWorkersOut(db))) {
      await db.query("rollback");
      return false;
    }
    await db.query(asSent(migration.sql));
    await record(db, migration);
    await db.query("commit");
    return true;
  } catch (error) {
    await db.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** No worker registers from here to the commit; one that registers later sees the migration. */
async function lockWorkersOut(db: pg.Client): Promise<boolean> {
  const { rows } = await db.query(`select to_regclass('"handrail".worker') is not null as there`);
  if (!rows[0].there) return true;
  await db.query("lock table handrail.worker in share row exclusive mode");
  return (await livingWorkers(db)).length === 0;
}

/**
 * Takes as long as it takes, without blocking others. A half-built index of an earlier attempt (killed, or duplicate
 * rows found) is removed first.
 */
async function buildBesideEverybody(
  db: pg.Client,
  migration: Migration,
  { verb, name, schema }: NonNullable<Migration["concurrentIndex"]>,
): Promise<void> {
  const { rows } = await db.query<{ index: string; valid: boolean }>(
    `select indexrelid::regclass::text as index, indisvalid as valid
     from pg_index join pg_class on pg_class.oid = indexrelid join pg_namespace on pg_namespace.oid = relnamespace
     where relname = $1 and nspname = $2`,
    [name, schema === USUAL_SCHEMA ? schemaName() : schema],
  );
  for (const { index } of rows.filter(({ valid }) => !valid)) await db.query(`drop index concurrently ${index}`);
  const isThere = rows.some(({ valid }) => valid);
  if (isThere === (verb === "drop")) await db.query(migration.sql);
  await record(db, migration);
}

/** Long transactions: one of them holds what the migration needs. */
async function inTheWay(db: pg.Client, { name }: Migration, patienceMs: number): Promise<string> {
  const { rows } = await db.query<{ who: string }>(`
    select format('%s (pid %s, for %s s)', coalesce(nullif(application_name, ''), usename), pid,
      round(extract(epoch from clock_timestamp() - xact_start))) as who
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start < clock_timestamp() - interval '${LOCK_TIMEOUT}'
    order by xact_start limit 5`);
  const who = rows.length > 0 ? ` In a transaction for long: ${rows.map((row) => row.who).join(", ")}.` : "";
  return `The migration "${name}" found no moment within ${patienceMs / 1_000} s in which nobody held what it changes.${who} Nothing of it was applied; end what holds it, then migrate again.`;
}

function failure({ name, sql, online, concurrentIndex }: Migration, error: unknown): string {
  if (online && !concurrentIndex && codeOf(error) === QUERY_CANCELED)
    return (
      `The migration "${name}" says that it is online, and one of its statements took longer than ${ONLINE_STATEMENT_TIMEOUT}, in which others would have had to wait. ` +
      "Nothing of it was applied. Make it shorter (`not valid`, `create index concurrently`), or have it drain the workers."
    );
  const position = error instanceof pg.DatabaseError ? Number(error.position) : Number.NaN;
  const line = position ? `, line ${inSchema(sql).slice(0, position).split("\n").length}` : "";
  return `The migration "${name}" failed${line}: ${messageOf(error)}. The migrations before it are kept.`;
}

export function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code;
}

/** A refused connection to a name with several addresses is an AggregateError without a message. */
export function messageOf(error: unknown): string {
  return (error as Error).message || codeOf(error) || String(error);
}
