import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const FRAME = /^\s+at .*?\(?((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/;

/** The first line of a stack that is in a file of the app, and what is written there. */
export function placeInApp(stack: string, folder: string): { where: string; code: string } | null {
  for (const line of stack.split("\n")) {
    const [, written, row, column] = FRAME.exec(line) ?? [];
    if (written === undefined) continue;
    const file = written.startsWith("file:") ? fileURLToPath(written) : written;
    const inside = path.relative(folder, file);
    if (inside.startsWith("..") || path.isAbsolute(inside) || inside.includes("node_modules")) continue;
    return { where: `${inside}:${row}:${column}`, code: codeAt(file, Number(row)) };
  }
  return null;
}

function codeAt(file: string, row: number): string {
  try {
    return readFileSync(file, "utf8").split("\n")[row - 1]?.trim() ?? "";
  } catch {
    return ""; // saved under another name meanwhile
  }
}
