import { cp, readdir } from "node:fs/promises";
import path from "node:path";

/** The folders that hold one, not Prisma's own files beside them. */
export async function copyMigrations(root: string, to: string): Promise<void> {
  const from = path.join(root, "prisma/migrations");
  const entries = await readdir(from, { withFileTypes: true });
  for (const { name } of entries.filter((entry) => entry.isDirectory()))
    await cp(path.join(from, name), path.join(to, name), { recursive: true });
}
