import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** A Prisma migration: a folder named <timestamp>_<words> with one migration.sql. */
export type Migration = { name: string; sql: string };

/** In the order in which they are applied, which is that of their names. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names
      .sort()
      .map(async (name) => ({ name, sql: await readFile(path.join(directory, name, "migration.sql"), "utf8") })),
  );
}

/** What `prisma migrate` records. */
export function checksum(sql: string): string {
  return createHash("sha256").update(sql).digest("hex");
}

/** As Prisma compares: a checkout that turned the line ends isn't an edit. */
export function matches(sql: string, recorded: string): boolean {
  const unix = sql.replaceAll("\r\n", "\n");
  return [sql, unix, unix.replaceAll("\n", "\r\n")].some((text) => checksum(text) === recorded);
}
