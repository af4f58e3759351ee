import { readdir } from "node:fs/promises";

/** Names of the migrations that the code beside this folder was written for, in the order in which they are applied. */
export async function knownMigrations(directory: string | URL): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
