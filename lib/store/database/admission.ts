import { type Db, type Statement, sqlState } from "../db";
import { BEFORE_BASELINE } from "./known-migrations";

const UNDEFINED_TABLE = "42P01";

/** The database's schema compared with the migrations that a worker's code knows. */
interface Admission {
  /** A migration requires workers to drain for a while. */
  draining: boolean;
  /** Migrations that the code needs and the database lacks. */
  missing: string[];
  /** Migrations that the database has, the code does not know, and that are not declared compatible with older code. */
  foreign: string[];
}

const admissionStatement: Statement = {
  name: "admission",
  text: `
    select
      exists (select from handrail.drain where until_at > clock_timestamp()) as draining,
      array(select name from unnest($1::text[]) as known (name) where name not in (select name from handrail.migration) order by name) as missing,
      array(select name from handrail.migration where name <> all ($1::text[]) and not online order by name) as foreign`,
};

const beforeBaselineStatement: Statement = {
  name: "before-baseline",
  text: "select from public._prisma_migrations where migration_name = $1",
};

/** Whether the migrations that the baseline replaced made this database. */
export async function isBeforeBaseline(db: Db): Promise<boolean> {
  try {
    return (await db.query(beforeBaselineStatement, [BEFORE_BASELINE])).length > 0;
  } catch (error) {
    if (sqlState(error) !== UNDEFINED_TABLE) throw error;
    return false;
  }
}

export async function readAdmission(db: Db, known: readonly string[]): Promise<Admission> {
  const [row] = await db.query<Admission>(admissionStatement, [known]);
  return row as Admission;
}
