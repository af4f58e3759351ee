import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installPackage } from "./apt";

const DEBIANS = "/usr/lib/postgresql/15/bin";
const NO_CLUSTER = "/etc/postgresql-common/createcluster.d/no-main-cluster.conf";

/** The folder of initdb and pg_ctl of the oldest PostgreSQL that Handrail works on, as Debian 12 has it. */
export function findPostgres15(): string | undefined {
  return existsSync(join(DEBIANS, "initdb")) ? DEBIANS : undefined;
}

/** Installs Debian's where there is none and we may, without a server that runs by itself. Elsewhere its test is skipped, and says so. */
export async function ensurePostgres15(scratch: string): Promise<void> {
  if (findPostgres15() || process.getuid?.() !== 0) return;
  await mkdir("/etc/postgresql-common/createcluster.d", { recursive: true });
  if (!existsSync(NO_CLUSTER)) await writeFile(NO_CLUSTER, "create_main_cluster = false\n");
  await installPackage("postgresql-15", join(scratch, "apt-get-postgresql.log"));
}
