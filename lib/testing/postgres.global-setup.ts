import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { removeEmbeddedPostgres, startEmbeddedPostgres } from "../../scripts/postgres/embedded";
import { migrate } from "../../scripts/postgres/migrate";

declare module "vitest" {
  interface ProvidedContext {
    /** The server's own database, from which test databases are created and dropped. */
    postgresUrl: string;
    /** A migrated database to which nobody connects, so that it can be cloned at any time. */
    postgresTemplate: string;
  }
}

const TEMPLATE = "handrail_template";

/** A test run has nothing to lose in a power cut; everything else stays as the product finds it. */
const SETTINGS = { fsync: "off", full_page_writes: "off", max_connections: "300" };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), "handrail-test-"));
  const server = await startEmbeddedPostgres({ dir, settings: SETTINGS });
  const stop = async () => {
    await server.stop();
    await removeEmbeddedPostgres(dir);
  };
  try {
    await migrate(server.url(TEMPLATE));
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide("postgresUrl", server.url("postgres"));
  project.provide("postgresTemplate", TEMPLATE);
  return stop;
}
