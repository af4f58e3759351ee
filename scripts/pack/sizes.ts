import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";

/** The files of the package that are loaded with an import of this one, with their code; packages that an app installs are not. */
export async function loadedFiles(file: string, seen = new Map<string, string>()): Promise<Map<string, string>> {
  if (seen.has(file)) return seen;
  const code = await readFile(file, "utf8");
  seen.set(file, code);
  for (const [, relative = ""] of code.matchAll(/^(?:import|export) .*?["'](\.\/[^"']+)["'];$/gm))
    await loadedFiles(path.resolve(path.dirname(file), relative), seen);
  return seen;
}

/** Bytes of the same. */
export const loadedBytes = async (file: string): Promise<number> =>
  [...(await loadedFiles(file)).values()].reduce((sum, code) => sum + Buffer.byteLength(code), 0);

/** Bytes of all files below a folder. */
export async function bytesOf(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = files.filter((file) => file.isFile()).map((file) => stat(path.join(file.parentPath, file.name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}
