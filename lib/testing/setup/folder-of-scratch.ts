import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";

/** Linux's in-memory files, and more space than a run of all tests needs. */
export const MEMORY = "/dev/shm";
const ROOM_BYTES = 6e9;

/**
 * Each test file creates a database of a thousand files and drops it, which gets slower on a disk's file system every
 * time.
 */
export async function folderOfScratch(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => undefined);
  return memory && memory.bavail * memory.bsize > ROOM_BYTES ? MEMORY : tmpdir();
}
