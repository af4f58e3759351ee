/** A spreadsheet takes what begins like this for a formula, and runs it; the wide forms count as the narrow ones there. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** One cell: quoted where RFC 4180 asks for it, and text that would be a formula has an apostrophe before it. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n\t']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvLine = (cells: readonly unknown[]): string => `${cells.map(csvCell).join(",")}\r\n`;
