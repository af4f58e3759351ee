import type { App } from "../../../lib/app";
import type { Env } from "../../../lib/env";
import { readEnvOfApp } from "../../../lib/env-of-app";
import { migrationsFolder } from "../../../lib/store/database/known-migrations";
import { connectIfThere } from "../../../lib/store/migrations/connect";
import { readMigrations } from "../../../lib/store/migrations/files";
import { stillToApply } from "../../../lib/store/migrations/history";
import { lookAt } from "../../../lib/store/migrations/takeover";
import { setSchema } from "../../../lib/store/schema";
import { Refused } from "../../session/stops";

const MIGRATE = "Run `npx handrail migrate`";

/** The address to migrate on, without a pooler. @throws Refused with what to set */
export function directUrlOf({ directUrl }: Env): string {
  if (directUrl) return directUrl;
  throw new Refused(
    "Handrail needs a database: set DATABASE_URL, such as DATABASE_URL=postgresql://user:password@host:5432/app, or write it into .env.",
  );
}

/**
 * Whether the app's database is there and has all of this version's migrations.
 * @throws Refused with what to do; EnvError; HandrailError for a database that is newer, or cannot be reached
 */
export async function checkDatabase(app: App): Promise<void> {
  const env = readEnvOfApp(app);
  const directUrl = directUrlOf(env);
  setSchema(env.schema);
  const db = await connectIfThere(directUrl);
  if (!db) throw new Refused(`The server has no such database as DATABASE_URL names. ${MIGRATE}, which creates it.`);
  try {
    const migrations = await readMigrations(migrationsFolder());
    const { applied, takeover } = await lookAt(db, migrations);
    const missing = stillToApply(migrations, applied).length;
    if (missing > 0 || takeover)
      throw new Refused(
        applied.length === 0 && !takeover
          ? `The database has no tables of Handrail's. ${MIGRATE}, then try again.`
          : `The database is older than this version of Handrail. ${MIGRATE}, then try again.`,
      );
  } finally {
    await db.end();
  }
}
