import { type Command, Option } from "commander";
import type { Screen } from "../output/screen";
import { wholeNumber } from "../session/given";

export interface Page {
  limit?: number;
  cursor?: string;
}

/** The options of every list: one page is read. */
export const withPage = (command: Command): Command =>
  command
    .addOption(new Option("--limit <number>", "rows of the page, up to 200").argParser(wholeNumber(1, 200)))
    .option("--cursor <cursor>", "where the page begins: the nextCursor of the page before");

export function noteMore(screen: Screen, nextCursor: string | null): void {
  if (nextCursor !== null) screen.note(`There is more: --cursor ${nextCursor}`);
}
