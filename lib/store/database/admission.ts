import type { Db, Statement } from "../db";
import { SAMPLE_TABLES_ONCE } from "./known-migrations";

/** The database's schema compared with the migrations that a worker's code knows. */
interface Admission {
  /** A migration requires workers to drain for a while. */
  draining: boolean;
  /** Migrations that the code needs and the database lacks. */
  missing: string[];
  /** Migrations that the database has, the code does not know, and that are not declared compatible with older code. */
  foreign: string[];
}

// Read-only. The first table is Prisma's own record of applied migrations.
const admissionStatement: Statement = {
  name: "admission",
  text: `
    with applied as (
      select migration_name as name from public._prisma_migrations
      where finished_at is not null and rolled_back_at is null and migration_name <> '${SAMPLE_TABLES_ONCE}'
    )
    select
      exists (select from handrail.drain where until_at > clock_timestamp()) as draining,
      array(select name from unnest($1::text[]) as known (name) where name not in (select name from applied) order by name) as missing,
      array(select name from applied
        where name <> all ($1::text[]) and not exists (select from handrail.migration where migration.name = applied.name and online)
        order by name) as foreign`,
};

export async function readAdmission(db: Db, known: readonly string[]): Promise<Admission> {
  const [row] = await db.query<Admission>(admissionStatement, [known]);
  return row as Admission;
}
