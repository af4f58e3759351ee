import { readFileSync } from "node:fs";
import path from "node:path";

/** Where jiti's parser stopped, as the end of its message. */
const PLACED = /^ParseError: (?<says>.*?)\s+(?<file>\/.*|[A-Za-z]:.*):(?<line>\d+):(?<column>\d+)$/s;
/** Of the loader: it is no part of what went wrong. */
const OF_THE_LOADER = /^\s+at .*[/\\]node_modules[/\\](jiti|handrail)[/\\]/;

export const isPlacedByLoader = (error: unknown): error is Error =>
  error instanceof Error && PLACED.test(error.message);

/** For the app's author: why a configuration could not be loaded, and where. */
export function explained(file: string, error: unknown): string {
  const name = path.basename(file);
  const place = error instanceof Error ? PLACED.exec(error.message)?.groups : undefined;
  if (place)
    return `${name} cannot be loaded.\n${syntaxError(place as Record<"says" | "file" | "line" | "column", string>)}`;
  if (!(error instanceof Error)) return `${name} cannot be loaded: it throws ${String(error)}.`;
  const stack = (error.stack ?? error.message).split("\n").filter((line) => !OF_THE_LOADER.test(line));
  return `${name} cannot be loaded.\n${stack.join("\n")}`;
}

function syntaxError({ says, file, line, column }: Record<"says" | "file" | "line" | "column", string>): string {
  const written = readFileSync(file, "utf8").split("\n")[Number(line) - 1] ?? "";
  const margin = `${line} | `;
  const place = `${path.relative(process.cwd(), file)}:${line}:${Number(column) + 1}`;
  // Tabs stay, so that the mark is below what it marks.
  const indent = written.slice(0, Number(column)).replaceAll(/[^\t]/g, " ");
  return `${place}: ${says.trim()}\n\n${margin}${written}\n${" ".repeat(margin.length)}${indent}^`;
}
