import type pg from "pg";
import { HandrailError } from "../../engine/errors";
import { migrationsFolder } from "../database/known-migrations";
import { reachesBackend } from "../database/session";
import { applyMigration, type Patience } from "./apply";
import { checkServer, connectOrCreate, takeLock } from "./connect";
import { endDrain } from "./drain";
import { type Migration, NO_LIMITS, readMigrations } from "./files";
import { stateOfHistory, stillToApply } from "./history";
import { lookAt } from "./takeover";

/*
 * Brings a database up to date. Everything that it makes is in the schema `handrail`, the history of what was applied
 * too, so that other programs may migrate the same database by their own means: docs/decisions/026. A database that is
 * newer, or differs, is refused. A migration and its record are one transaction: a kill in the middle leaves nothing
 * behind. Workers may keep running meanwhile: apply.ts.
 */

/** One migrates at a time. */
export const LOCK = "hashtextextended('handrail' || ': migrations', 0)";
/** That of `prisma migrate`, which versions of Handrail from before the history take as well. */
const PRISMA_LOCK = "72707369";
const PATIENCE: Patience = { drainMs: 60_000, lockMs: 120_000, say: () => undefined };

export interface MigrateOptions extends Partial<Patience> {
  /** The folder of the migrations. Default: Handrail's own. */
  directory?: string;
}

/**
 * Creates the database if there is none, and applies what it lacks, in the order of names. Any number of processes may
 * call it at once.
 * @param directUrl the database itself: behind a pooler, the lock would belong to the next client
 * @returns the names of what it applied
 * @throws HandrailError `database_newer`: it has a migration that this version does not know; `migration_edited`; else
 * `unavailable`, with what to do
 */
export async function migrate(
  directUrl: string,
  { directory = migrationsFolder(), ...patience }: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(directory);
  const db = await connectOrCreate(directUrl);
  try {
    if (!(await reachesBackend(db))) return await refuseUnlessUpToDate(db, migrations);
    await checkServer(db);
    // Left to itself the path begins with a schema named like the user, who may be "handrail".
    // A role may have limits for an app's statements; building an index beside everybody takes as long as it takes.
    await db.query(`set search_path to public; ${NO_LIMITS}`);
    await takeLock(db, LOCK);
    // Those who write the old list are kept out while it is taken over.
    if ((await stateOfHistory(db)) !== "complete") await takeLock(db, PRISMA_LOCK);
    const { applied, takeover } = await lookAt(db, migrations);
    const pending = stillToApply(migrations, applied);
    if (takeover) await db.query(`begin;${takeover}commit`);
    return await applyAll(db, pending, { ...PATIENCE, ...patience });
  } finally {
    await db.end(); // releases the locks
  }
}

async function applyAll(
  db: pg.Client,
  pending: readonly Migration[],
  patience: Patience,
): Promise<{ applied: string[] }> {
  try {
    for (const migration of pending) await applyMigration(db, migration, patience);
    return { applied: pending.map(({ name }) => name) };
  } finally {
    await endDrain(db).catch(() => undefined); // it ends by itself soon
  }
}

/** A database that needs no migration can be used without its direct address. */
async function refuseUnlessUpToDate(db: pg.Client, migrations: readonly Migration[]): Promise<{ applied: string[] }> {
  const { applied, takeover } = await lookAt(db, migrations);
  const pending = stillToApply(migrations, applied);
  if (pending.length === 0 && !takeover) return { applied: [] };
  throw new HandrailError(
    "unavailable",
    `The database wants ${pending.length > 1 ? `${pending.length} migrations` : "a migration"}, and DATABASE_URL leads to it through a pooler, ` +
      "where a migration cannot hold its lock. Let DATABASE_DIRECT_URL name the database itself. If it does, through a proxy that hides " +
      "the server's process ids, add options=-c%20handrail.sessions%3Ddedicated to it (docs/poolers-and-failover.md).",
  );
}
