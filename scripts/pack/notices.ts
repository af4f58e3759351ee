import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

interface Manifest {
  name: string;
  version: string;
  license: string;
}

/** The licences of the packages that are in the code, in full. @throws for a package that has none */
export async function noticesOf(folders: readonly string[]): Promise<string> {
  const notices = await Promise.all(folders.map(noticeOf));
  return ["The code of this package contains the following packages.\n", ...new Set(notices)].join("\n");
}

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license }: Manifest = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((file) => /^licen[cs]e(-\w+)?(\.\w+)?$/i.test(file));
  if (!file) throw new Error(`${name} has no file with its licence: it cannot be a part of the package.`);
  const text = await readFile(path.join(folder, file), "utf8");
  return `## ${name} ${version} (${license})\n\n${text.trim().replaceAll(/^/gm, "    ")}\n`;
}
