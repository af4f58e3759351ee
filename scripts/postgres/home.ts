import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chown, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { StartError } from "../start-error";
import type { ServerUser } from "./run";
import { isReachable, PUBLIC_ROOT } from "./server-user";

/** In the folder the caller named: where the server really lives, if it can't live there. */
const NOTE = "moved-to";

/**
 * The folder that holds the cluster. It is the one the caller named, unless root runs the server as a user who can't
 * reach that one; then it is a public place, and a note keeps the way there for later starts.
 */
export async function findHome(dir: string, user: ServerUser | undefined): Promise<string> {
  await mkdir(dir, { recursive: true });
  const moved = await movedTo(dir);
  if (moved) return moved;
  if (!user || existsSync(path.join(dir, "cluster"))) return dir;
  await chown(dir, user.uid, user.gid); // root gets everywhere anyway
  if (await isReachable(dir, user)) return dir;
  const home = path.join(PUBLIC_ROOT, `data-${createHash("sha256").update(dir).digest("hex").slice(0, 16)}`);
  await mkdir(home, { recursive: true, mode: 0o755 });
  await writeFile(path.join(dir, NOTE), `${home}\n`);
  return home;
}

export async function removeHome(dir: string): Promise<void> {
  const moved = await movedTo(dir);
  if (moved) await rm(moved, { recursive: true, force: true });
  await rm(dir, { recursive: true, force: true });
}

export async function movedTo(dir: string): Promise<string | undefined> {
  const note = await readFile(path.join(dir, NOTE), "utf8").catch(() => undefined);
  const home = note?.trim();
  if (!home) return undefined;
  // The note names a folder that `--fresh` deletes, as root: it must be one that we made.
  if (path.dirname(home) !== PUBLIC_ROOT)
    throw new StartError(`${path.join(dir, NOTE)} names ${home}, which is no folder of Handrail's. Delete that file.`);
  return home;
}

/** A folder that only the server's user can access. */
export async function makePrivate(folder: string, user: ServerUser | undefined): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  if (user) await chown(folder, user.uid, user.gid);
}
