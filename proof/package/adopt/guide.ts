import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const read = (page: string) => readFileSync(fileURLToPath(new URL(`../../../${page}`, import.meta.url)), "utf8");

/** What a page says between two of its headings. */
export function sectionOf(page: string, heading: string): string {
  const [, after] = read(page).split(new RegExp(`^#+ ${heading}$`, "m"));
  if (after === undefined) throw new Error(`${page} has no heading "${heading}".`);
  return after.split(/^#+ /m)[0] as string;
}

/** The blocks of commands in a text, a command a line, with the comments behind them. */
export const commandsIn = (text: string): string[] =>
  [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = ""]) => block.trim().split("\n"));
