import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";

/** Linux's files in memory, and the room that a run of all tests does not come near. */
export const MEMORY = "/dev/shm";
const ROOM_BYTES = 6e9;

/** Each test file makes a database, a thousand files, and drops it: a disk's file system gets slower at that with every one. */
export async function folderOfScratch(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => undefined);
  return memory && memory.bavail * memory.bsize > ROOM_BYTES ? MEMORY : tmpdir();
}
