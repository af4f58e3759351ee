import { execFile } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Packed {
  /** What npm publishes. */
  tarball: string;
  /** The same, as files. */
  folder: string;
}

/** Packs a folder as npm publishes it. @returns the path of the file */
export async function tarballOf(folder: string, out: string): Promise<string> {
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 }; // it lists every file
  const { stdout } = await promisify(execFile)("npm", ["pack", "--json", "--pack-destination", out], options);
  return path.join(out, JSON.parse(stdout)[0].filename);
}
