import { chmod, lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { TestProject } from "vitest/node";
import { removeEmbeddedPostgres, startEmbeddedPostgres } from "../../../scripts/postgres/embedded";
import { migrateDemo } from "../../../scripts/postgres/migrate-demo";
import { isAlive } from "../../../scripts/postgres/run";
import { migrate } from "../../store/migrations/migrate";
import { folderOfScratch, MEMORY } from "./folder-of-scratch";

declare module "vitest" {
  interface ProvidedContext {
    /** The server's own database, from which test databases are created and dropped. */
    postgresUrl: string;
    /** A migrated database without connections, so that it can be cloned at any time. */
    postgresTemplate: string;
  }
}

const TEMPLATE = "handrail_template";

/** A test run has nothing to lose in a power cut; all other settings are as in production. */
const SETTINGS = { fsync: "off", full_page_writes: "off", max_connections: "300" };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandoned();
  const dir = await mkdtemp(join(await folderOfScratch(), `handrail-test-${process.pid}-`));
  await chmod(dir, 0o755); // as root, PostgreSQL runs as another user, who needs access
  const server = await startEmbeddedPostgres({ dir: join(dir, "postgres"), settings: SETTINGS });
  const stop = async () => {
    await server.stop();
    await remove(dir);
  };
  try {
    await migrate(server.url(TEMPLATE));
    await migrateDemo(server.url(TEMPLATE));
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide("postgresUrl", server.url("postgres"));
  project.provide("postgresTemplate", TEMPLATE);
  return stop;
}

/** Refuses while the server is in use. */
async function remove(dir: string): Promise<void> {
  await removeEmbeddedPostgres(join(dir, "postgres"));
  await rm(dir, { recursive: true, force: true });
}

/**
 * An interrupted run leaves its server behind. Only our own folders are checked: in theirs, others may use any name.
 */
async function removeAbandoned(): Promise<void> {
  const folders = [tmpdir(), MEMORY].map(async (folder) =>
    (await readdir(folder).catch(() => [])).map((name) => join(folder, name)),
  );
  for (const dir of (await Promise.all(folders)).flat()) {
    const pid = /^handrail-test-(\d+)-/.exec(basename(dir))?.[1];
    if (!pid || isAlive(Number(pid))) continue;
    const found = await lstat(dir).catch(() => undefined); // another run may be cleaning up as well
    if (found?.uid === process.getuid?.()) await remove(dir).catch(() => undefined);
  }
}
