import { readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The first of the migrations that the baseline replaced: recorded in every database made by them. */
export const BEFORE_BASELINE = "20261121000000_engine";

/** For operators of such a database: what happened, and what to do. */
export const MADE_BEFORE_BASELINE =
  "This database was made by a version of Handrail before the baseline migration " +
  `(it has "${BEFORE_BASELINE}"), and cannot be migrated to this version. Nothing in it was changed. Let DATABASE_URL name an empty ` +
  "database. Where Handrail brings its own: `npm run demo -- --fresh` deletes it and makes a new one, or let HANDRAIL_DATA name " +
  "another folder. To keep what is in it, stay with the version that made it.";

/**
 * Made the sample workflows' tables in `public`, where only the demo has them now, in its own schema. A database that
 * has it keeps those tables; nothing reads them.
 */
export const SAMPLE_TABLES_ONCE = "20261122000100_sample_app";

/** The folder of the migrations, beside the code. Not `new URL("…", import.meta.url)`: bundlers take that for a module. */
export const migrationsFolder = () => path.join(fileURLToPath(import.meta.url), "../../../../prisma/migrations");

/** Names of the migrations that this code was written for, in the order in which they are applied. */
export async function knownMigrations(directory: string = migrationsFolder()): Promise<string[]> {
  const entries = await readdir(/* turbopackIgnore: true */ directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
