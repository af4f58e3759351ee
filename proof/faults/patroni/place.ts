import { chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ServerUser } from "../../../scripts/postgres/run";
import type { ClusterPrograms } from "../../../scripts/test/patroni";

/** Where a cluster runs, and as whom. */
export interface Place {
  /** Of its data and logs. */
  folder: string;
  programs: ClusterPrograms;
  /** Absent: ourselves. PostgreSQL refuses root. */
  user: ServerUser | undefined;
}

/** A folder that belongs to the user of the programs. */
export async function ownFolder({ folder, user }: Place, name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, { recursive: true });
  if (user) await chown(path, user.uid, user.gid);
  return path;
}
