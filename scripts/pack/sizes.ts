import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";

/** Bytes of all that is loaded with an import of this file: without the packages that an app installs. */
export async function loadedBytes(file: string, seen = new Set<string>()): Promise<number> {
  if (seen.has(file)) return 0;
  seen.add(file);
  const code = await readFile(file, "utf8");
  let bytes = Buffer.byteLength(code);
  for (const [, relative = ""] of code.matchAll(/^(?:import|export) .*?["'](\.\/[^"']+)["'];$/gm))
    bytes += await loadedBytes(path.resolve(path.dirname(file), relative), seen);
  return bytes;
}

/** Bytes of all files below a folder. */
export async function bytesOf(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = files.filter((file) => file.isFile()).map((file) => stat(path.join(file.parentPath, file.name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}
