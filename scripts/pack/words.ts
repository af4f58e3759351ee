import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Plugin } from "rolldown";

/** What this repository's texts call a command, and which command of the package does the same. */
const OF_REPOSITORY = /\bnpm (?:run (audit|demo|dev|doctor|migrate|start|worker)|(start))\b( -- )?/g;

/** A text in the words of an app that has the packages: `npx handrail worker` for `npm run worker`. */
export const inWordsOfAnApp = (text: string): string =>
  text.replaceAll(
    OF_REPOSITORY,
    (_, script = "", start = "", options) => `npx handrail ${script}${start}${options ? " " : ""}`,
  );

/** The same for each of our own files that is bundled. */
export const wordsOfAnApp: Plugin = {
  name: "handrail:words",
  transform: (code, id) => (id.includes("/node_modules/") ? undefined : inWordsOfAnApp(code)),
};

/** The same for copied sources. */
export async function writeWordsOfAnApp(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true });
  for (const name of files.filter((file) => /\.tsx?$/.test(file))) {
    const file = path.join(folder, name);
    const text = await readFile(file, "utf8");
    const inOtherWords = inWordsOfAnApp(text);
    if (inOtherWords !== text) await writeFile(file, inOtherWords);
  }
}
