import { existsSync } from "node:fs";
import { join } from "node:path";
import { installPackage } from "./apt";

const USUAL_PLACES = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"];

/** The pooler for the tests that need one: the one that PGBOUNCER_PATH names, else the system's. */
export function findPgbouncer(): string | undefined {
  return process.env.PGBOUNCER_PATH || USUAL_PLACES.find((path) => existsSync(path));
}

/** Installs Debian's where there is none and we may. Without one, the tests that need it are skipped, and say so. */
export async function ensurePgbouncer(scratch: string): Promise<void> {
  if (!findPgbouncer()) await installPackage("pgbouncer", join(scratch, "apt-get.log"));
}
