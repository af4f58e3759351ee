import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { BEFORE_BASELINE, MADE_BEFORE_BASELINE, SAMPLE_TABLES_ONCE } from "../../lib/store/database/known-migrations";
import { reachesBackend } from "../../lib/store/database/session";
import { StartError } from "../start-error";
import { applyMigration, codeOf, messageOf, type Patience } from "./apply-migration";
import { endDrain } from "./drain-workers";
import { type Migration, matches, readMigrations } from "./migration-files";

/**
 * Brings a database up to date when Handrail starts, without the Prisma CLI but as `prisma migrate deploy` would: same
 * files, same table, same checksums, same lock. Either may be used on a database that the other one migrated.
 *
 * It is stricter in what it accepts (a database that is newer, half-migrated or differs is refused), and a migration
 * and its record are one transaction: a kill in the middle leaves nothing behind. Workers may keep running meanwhile:
 * apply-migration.ts.
 */

const DIRECTORY = fileURLToPath(new URL("../../prisma/migrations", import.meta.url));
const PRISMA_LOCK = 72_707_369; // the advisory lock that `prisma migrate` takes
const OTHERS_MS = 60_000; // another starter's migration may take a while, but a forgotten one shouldn't hang us silently
const LOOK_AGAIN_MS = 100;
const PATIENCE: Patience = { drainMs: 60_000, lockMs: 120_000, say: () => undefined };
const OLDEST_SERVER = 15;
const UNDEFINED_TABLE = "42P01";

const CREATE_RECORDS = `
  create table if not exists public._prisma_migrations (
    id                  varchar(36)  primary key not null,
    checksum            varchar(64)  not null,
    finished_at         timestamptz,
    migration_name      varchar(255) not null,
    logs                text,
    rolled_back_at      timestamptz,
    started_at          timestamptz  not null default now(),
    applied_steps_count integer      not null default 0
  )`;

/** `online`: it declared that code which does not know it may continue. */
type Recorded = { name: string; checksum: string; finished: boolean; online: boolean };

/** @param directUrl the database itself: behind a pooler, the lock would belong to the next client */
export async function migrate(
  directUrl: string,
  { directory = DIRECTORY, ...patience }: { directory?: string } & Partial<Patience> = {},
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(directory);
  const db = await connectOrCreate(directUrl);
  try {
    if (!(await reachesBackend(db))) return await refuseUnlessUpToDate(db, migrations);
    await checkServer(db);
    // Prisma's default. Left to itself the path begins with a schema named like the user, who may be "handrail".
    await db.query("set search_path to public");
    await takeLock(db);
    return await applyPending(db, migrations, { ...PATIENCE, ...patience });
  } finally {
    await db.end(); // releases the lock
  }
}

async function applyPending(
  db: pg.Client,
  migrations: Migration[],
  patience: Patience,
): Promise<{ applied: string[] }> {
  const pending = await findPending(db, migrations);
  try {
    for (const migration of pending) await applyMigration(db, migration, patience);
    return { applied: pending.map(({ name }) => name) };
  } finally {
    await endDrain(db).catch(() => undefined); // it ends by itself soon
  }
}

/** A database that needs no migration can be used without its direct address. */
async function refuseUnlessUpToDate(db: pg.Client, migrations: Migration[]): Promise<{ applied: string[] }> {
  const pending = await selectRecorded(db).then(
    (recorded) => stillToApply(migrations, recorded),
    (error) => {
      if (codeOf(error) !== UNDEFINED_TABLE) throw error;
      return migrations;
    },
  );
  if (pending.length === 0) return { applied: [] };
  throw new StartError(
    `The database wants ${pending.length === 1 ? "a migration" : `${pending.length} migrations`}, and DATABASE_URL leads to it through a pooler, ` +
      "where a migration cannot hold its lock. Let DATABASE_DIRECT_URL name the database itself.",
  );
}

async function connectOrCreate(databaseUrl: string): Promise<pg.Client> {
  try {
    return await connect(databaseUrl);
  } catch (error) {
    if (codeOf(error) !== "3D000") throw new StartError(unreachable(databaseUrl, error), { cause: error });
  }
  await createDatabase(databaseUrl);
  return connect(databaseUrl);
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const db = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  db.on("error", () => undefined); // a lost connection shows at the next query
  await db.connect();
  return db;
}

async function createDatabase(databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl);
  const name = decodeURIComponent(url.pathname.slice(1));
  url.pathname = "/postgres";
  const server = await connect(url.href);
  try {
    await server.query(`create database ${pg.escapeIdentifier(name)}`);
  } catch (error) {
    const another = ["42P04", "23505"].includes(codeOf(error) ?? ""); // another starter made it just now
    if (!another) {
      const message = `The database "${name}" does not exist and could not be created (${messageOf(error)}). Create it, or let DATABASE_URL name one that exists.`;
      throw new StartError(message, { cause: error });
    }
  } finally {
    await server.end();
  }
}

async function checkServer(db: pg.Client): Promise<void> {
  const { rows } = await db.query<{ server_version: string }>("show server_version");
  const version = rows[0]?.server_version ?? "";
  if (Number.parseInt(version, 10) >= OLDEST_SERVER) return;
  throw new StartError(
    `Handrail needs PostgreSQL ${OLDEST_SERVER} or newer, and the server that DATABASE_URL names is ${version}. Upgrade it, or name another.`,
  );
}

/** Polls: waiting in one statement would keep `create index concurrently` waiting for that statement. */
async function takeLock(db: pg.Client): Promise<void> {
  const deadline = performance.now() + OTHERS_MS;
  for (;;) {
    const { rows } = await db.query("select pg_try_advisory_lock($1) as taken", [PRISMA_LOCK]);
    if (rows[0].taken) return;
    if (performance.now() > deadline)
      throw new StartError(
        `Another process has been migrating this database for ${OTHERS_MS / 1_000} s. Wait until it is done, then start again; if it hangs, end it.`,
      );
    await delay(LOOK_AGAIN_MS);
  }
}

/** What is left to do, if the database is in a state to build upon. */
async function findPending(db: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  await db.query(CREATE_RECORDS);
  return stillToApply(migrations, await selectRecorded(db));
}

async function selectRecorded(db: pg.Client): Promise<Recorded[]> {
  const { rows } = await db.query<Recorded>(`
    select migration_name as name, checksum, finished_at is not null as finished
    from public._prisma_migrations where rolled_back_at is null and migration_name <> '${SAMPLE_TABLES_ONCE}'
    order by migration_name`);
  const online = await selectOnline(db);
  return rows.map((row) => ({ ...row, online: online.has(row.name) }));
}

async function selectOnline(db: pg.Client): Promise<Set<string>> {
  const { rows: told } = await db.query("select to_regclass('handrail.migration') is not null as there");
  if (!told[0].there) return new Set();
  const { rows } = await db.query<{ name: string }>("select name from handrail.migration where online");
  return new Set(rows.map(({ name }) => name));
}

function stillToApply(migrations: Migration[], recorded: Recorded[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  // First of all: most of those migrations declared that code which does not know them may continue.
  if (!known.has(BEFORE_BASELINE) && recorded.some(({ name }) => name === BEFORE_BASELINE))
    throw new StartError(MADE_BEFORE_BASELINE);
  for (const row of recorded) checkRecorded(row, known.get(row.name));
  const names = new Set(recorded.filter(({ finished }) => finished).map((row) => row.name));
  return migrations.filter(({ name }) => !names.has(name));
}

function checkRecorded(row: Recorded, migration: Migration | undefined): void {
  if (!migration) {
    if (row.finished && row.online) return;
    throw new StartError(
      `The database has the migration "${row.name}", which this version of Handrail does not know: the database is newer, ` +
        "or it belongs to another program. Start the newer version, or let DATABASE_URL name another database.",
    );
  }
  // A half-built index is harmless, and is rebuilt.
  if (!row.finished && !migration.concurrentIndex) {
    throw new StartError(
      `The migration "${row.name}" was begun and did not finish, so that the database may be half-migrated. Look at what is there ` +
        "(public._prisma_migrations has the error in its column logs), put it right, and say how it stands: " +
        `\`npx prisma migrate resolve --rolled-back ${row.name}\` to have it applied again, or --applied to keep it.`,
    );
  }
  if (!matches(migration.sql, row.checksum)) {
    throw new StartError(
      `The migration "${row.name}" was edited after the database got it. Restore prisma/migrations/${row.name}/migration.sql ` +
        "as it was, and put the change into a new migration. (The demo may start over: `npm run demo -- --fresh`.)",
    );
  }
}

function unreachable(databaseUrl: string, error: unknown): string {
  const { host } = new URL(databaseUrl);
  return `The database at ${host} can't be used: ${messageOf(error)}. Check DATABASE_URL, and that the server runs.`;
}
