import { migrate } from "../../lib/store/migrations/migrate";
import { migrationScript } from "../../lib/store/migrations/script";
import { setSchema } from "../../lib/store/schema";
import type { Home } from "./home";

/** What would be applied to the database, for others to apply it. Without one, all that an empty one lacks. */
export function migrationSql({ env }: Home): Promise<string> {
  setSchema(env.schema);
  return migrationScript(env.directUrl);
}

/** Brings the database up to date, and creates it if there is none. @returns the names of the migrations that were applied */
export async function migrateDatabase(home: Home, say: (text: string) => void): Promise<string[]> {
  setSchema(home.env.schema);
  return home.onDatabase(async ({ directUrl }) => {
    const { applied } = await migrate(directUrl, { say });
    return [...applied, ...(await home.migrateMore(directUrl))];
  });
}

export const appliedText = (applied: readonly string[]): string =>
  applied.length > 0 ? `Applied ${applied.join(", ")}.` : "The database is up to date.";
