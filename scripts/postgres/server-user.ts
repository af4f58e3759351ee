import { readFileSync, statSync } from "node:fs";
import { StartError } from "../start-error";
import { run, type ServerUser } from "./run";

/** Where root puts what the server's user can't reach elsewhere, say under a home with mode 0700. */
export const PUBLIC_ROOT = "/var/lib/handrail";

/**
 * The user that runs the server: ourselves unless we are root; then the owner of the data if there is any, else
 * `postgres` if that user exists, else `nobody`.
 */
export function serverUser(data: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(data, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new StartError(
    "PostgreSQL does not run as root, and this machine has neither a user `postgres` nor `nobody` to run it as. " +
      "Start Handrail as another user, or set DATABASE_URL to a PostgreSQL 15 or newer.",
  );
}

/** Asked of the kernel, as that user: mode bits alone don't tell (ACLs, network mounts). */
export async function isReachable(file: string, user: ServerUser): Promise<boolean> {
  const { code } = await run("/bin/sh", ["-c", 'test -r "$1" && test -x "$1"', "sh", file], { user, cwd: "/" });
  return code === 0;
}
