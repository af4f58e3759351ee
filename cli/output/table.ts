import { stripVTControlCharacters } from "node:util";
import Table from "cli-table3";
import type { Paint } from "./paint";

const NO_BORDERS = Object.fromEntries(
  [
    ...["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"],
    ...["left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"],
  ].map((name) => [name, ""]),
);
const GAP = 2;
const LEAST_LAST_COLUMN = 20;

interface Options {
  paint: Paint;
  /** Of the terminal; the last column is cut to fit. Absent: nothing is cut. */
  columns?: number | undefined;
}

/** Without borders: a column is as wide as its longest cell, and two spaces apart from the next. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[], options: Options): string {
  const { paint, columns } = options;
  const table = new Table({
    chars: NO_BORDERS,
    style: { head: [], border: [], "padding-left": 0, "padding-right": GAP, compact: true },
    colWidths: columns === undefined ? [] : widths(head, rows, columns),
  });
  if (head.some(Boolean)) table.push(head.map((title) => paint("gray", title.toUpperCase())));
  table.push(...rows.map((row) => [...row]));
  return withoutTrailingSpaces(table.toString());
}

const withoutTrailingSpaces = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");

/** Only the last column is bounded: it has sentences. */
function widths(head: readonly string[], rows: readonly (readonly string[])[], columns: number): (number | null)[] {
  const last = head.length - 1;
  const before = head
    .slice(0, last)
    .map((title, index) => Math.max(title.length, ...rows.map((row) => lengthOf(row[index] ?? ""))) + GAP)
    .reduce((sum, width) => sum + width, 0);
  const longest = Math.max(head[last]?.length ?? 0, ...rows.map((row) => lengthOf(row[last] ?? ""))) + GAP;
  return [...head.slice(0, last).map(() => null), Math.min(longest, Math.max(LEAST_LAST_COLUMN, columns - before))];
}

const lengthOf = (cell: string) => stripVTControlCharacters(cell).length;
