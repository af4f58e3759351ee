import { VERSION } from "../../engine/version";
import { migrationsFolder } from "../database/known-migrations";
import { inSchema } from "../schema";
import { connectIfThere } from "./connect";
import { ALIVE } from "./drain";
import { asSent, type Migration, NO_LIMITS, readMigrations } from "./files";
import { COMPLETE_HISTORY, recordOf, stillToApply } from "./history";
import { LOCK } from "./migrate";
import { type Found, lookAt } from "./takeover";

const EMPTY: Found = { applied: [], takeover: "" };

/**
 * What `migrate` would do, as SQL for others to apply, with the rows of the history. Changes nothing.
 * @param directUrl the database that it is for; undefined, or without such a database on its server: an empty one
 * @throws HandrailError as `migrate`
 */
export async function migrationScript(directUrl: string | undefined, directory = migrationsFolder()): Promise<string> {
  const migrations = await readMigrations(directory);
  const db = directUrl === undefined ? undefined : await connectIfThere(directUrl);
  try {
    return scriptOf(migrations, db ? await lookAt(db, migrations) : EMPTY);
  } finally {
    await db?.end();
  }
}

function scriptOf(migrations: readonly Migration[], { applied, takeover }: Found): string {
  const pending = stillToApply(migrations, applied);
  if (pending.length === 0 && !takeover) return "-- The database is up to date.\n";
  const parts = pending.map((migration, index) => partOf(migration, index === 0 && applied.length === 0));
  if (takeover)
    parts.unshift(`-- The history of migrations moves into the schema handrail.\nbegin;${takeover}commit;\n`);
  return inSchema([HEAD, ...parts, TAIL].join("\n"));
}

const HEAD = `-- Handrail ${VERSION}: the migrations that this database lacks, with their rows in the history (handrail.migration).
-- Apply it whole, as the role that owns the schema handrail, and stop at the first error:
--   psql --set ON_ERROR_STOP=1 --file handrail.sql "$DATABASE_URL"

set search_path to public;
${NO_LIMITS};
select pg_advisory_lock(${LOCK});
`;

const TAIL = `select pg_advisory_unlock(${LOCK});
`;

function partOf(migration: Migration, isFirst: boolean): string {
  const { name, online, concurrentIndex } = migration;
  const sql = concurrentIndex ? repeatable(migration.sql, concurrentIndex) : asSent(migration.sql);
  const title = `-- ${name} ${"-".repeat(Math.max(3, 120 - name.length))}\n`;
  const body = `${sql.trimEnd()}\n\n${isFirst ? `${COMPLETE_HISTORY.trimStart()}\n` : ""}${recordOf(migration)}\n`;
  if (concurrentIndex) return title + body;
  return `${title}begin;\nset local lock_timeout = '5s';\n${online || isFirst ? "" : NO_WORKERS}\n${body}commit;\n`;
}

/**
 * An index that is built while everybody works cannot be in a transaction: an interruption leaves it half-built, or without its
 * row in the history. The next script begins it anew.
 */
function repeatable(sql: string, { verb, name, schema }: NonNullable<Migration["concurrentIndex"]>): string {
  if (verb === "drop") return sql.replace(/^(\s*drop\s+index\s+concurrently\s)(?!\s*if\s)/im, "$1if exists ");
  return `drop index concurrently if exists "${schema}"."${name}";\n${sql}`;
}

const NO_WORKERS = `-- No worker may run: stop them first (SIGTERM lets their steps finish).
lock table handrail.worker in share row exclusive mode;
do $$ begin
  if exists (select from handrail.worker where ${ALIVE}) then
    raise exception 'Workers are running. Stop them, then apply this again.';
  end if;
end $$;
`;
