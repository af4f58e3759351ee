import pg from "pg";
import { HandrailError } from "../../engine/errors";
import { VERSION } from "../../engine/version";
import { BEFORE_BASELINE, MADE_BEFORE_BASELINE } from "../database/known-migrations";
import { checksum, type Migration, matches } from "./files";

/** A row of `handrail.migration`. */
export interface Applied {
  name: string;
  checksum: string;
  /** It declared that code which does not know it may continue. */
  online: boolean;
}

/** A session of the database itself. */
export type Sql = Pick<pg.Client, "query">;

/** The baseline makes the table as it was when the list of applied migrations was Prisma's, `public._prisma_migrations`. */
export const COMPLETE_HISTORY = `
alter table handrail.migration
  add column checksum text not null,
  add column version text;
comment on table handrail.migration is 'The history of migrations: what was applied, and by which version of Handrail';
comment on column handrail.migration.checksum is 'SHA-256 of the file';
comment on column handrail.migration.version is 'Null: by a version from before this column';
`;

/** What of the history there is: nothing, the baseline's table, or all of it. */
export async function stateOfHistory(db: Sql): Promise<"none" | "baseline" | "complete"> {
  const { rows } = await db.query<{ columns: string[] | null }>(`
    select array_agg(attname::text) as columns from pg_attribute
    where attrelid = to_regclass('"handrail".migration') and attnum > 0 and not attisdropped`);
  const columns = rows[0]?.columns;
  if (!columns) return "none";
  return columns.includes("checksum") ? "complete" : "baseline";
}

/** In the order in which they were applied, which is that of their names. */
export async function readHistory(db: Sql): Promise<Applied[]> {
  const { rows } = await db.query<Applied>("select name, checksum, online from handrail.migration order by name");
  return rows;
}

/** The statement that records a migration as applied. */
export function recordOf({ name, online, sql }: Migration): string {
  const values = [name, checksum(sql), VERSION].map(pg.escapeLiteral);
  return `insert into handrail.migration (name, online, checksum, version) values (${values[0]}, ${online}, ${values[1]}, ${values[2]});`;
}

/** In the transaction that applies it, if it has one. The first migration makes the table. */
export async function record(db: Sql, migration: Migration): Promise<void> {
  if ((await stateOfHistory(db)) === "baseline") await db.query(COMPLETE_HISTORY);
  await db.query(recordOf(migration));
}

/**
 * What is left to do, if the database is in a state to build upon.
 * @throws HandrailError `database_newer`; `migration_edited`; `unavailable` for a database from before the baseline
 */
export function stillToApply(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  // First of all: most of those migrations declared that code which does not know them may continue.
  if (!known.has(BEFORE_BASELINE) && applied.some(({ name }) => name === BEFORE_BASELINE))
    throw new HandrailError("unavailable", MADE_BEFORE_BASELINE);
  for (const row of applied) checkApplied(row, known.get(row.name));
  const names = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !names.has(name));
}

function checkApplied(row: Applied, migration: Migration | undefined): void {
  if (!migration) {
    if (row.online) return;
    throw new HandrailError(
      "database_newer",
      `The database has the migration "${row.name}", which this version of Handrail does not know: the database is newer. ` +
        "Start the newer version, or let DATABASE_URL name another database.",
      { migration: row.name },
    );
  }
  if (matches(migration.sql, row.checksum)) return;
  throw new HandrailError(
    "migration_edited",
    `The migration "${row.name}" was edited after the database got it. Restore prisma/migrations/${row.name}/migration.sql ` +
      "as it was, and put the change into a new migration. (The demo may start over: `npm run demo -- --fresh`.)",
    { migration: row.name },
  );
}
