import { HandrailError } from "./errors";

/** Milliseconds, or text such as `"500ms"`, `"30s"`, `"5m"`, `"24h"`, `"7d"` or `"1h 30m"`. */
export type Duration = number | string;

const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Ten years: anything longer is a mistake in units, and Postgres and Date still agree on it. */
export const LONGEST_MS = 3_650 * 86_400_000;

/** @throws HandrailError `invalid_value` for anything that is not a duration from 0 to ten years. */
export function toMilliseconds(duration: Duration): number {
  const ms = typeof duration === "number" ? duration : parse(duration);
  if (!Number.isFinite(ms) || ms < 0 || ms > LONGEST_MS)
    throw new HandrailError(
      "invalid_value",
      `${JSON.stringify(duration)} is not a duration. Write milliseconds, or text such as "30s", "5m", "24h", "7d" or "1h 30m", up to ten years.`,
    );
  return Math.ceil(ms);
}

/** Milliseconds of a text; a number alone is seconds. Null for what is no duration. */
export function readDuration(text: string): number | null {
  try {
    return /^\d/.test(text) ? toMilliseconds(/^\d+$/.test(text) ? `${text}s` : text) : null;
  } catch {
    return null;
  }
}

/** As an author writes it: `10m`, `1h 30m`, `500ms`. */
export function durationText(ms: number): string {
  const parts: string[] = [];
  let left = Math.round(ms);
  for (const [unit, size] of Object.entries(UNIT_MS).reverse()) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.join(" ") || "0ms";
}

function parse(text: string): number {
  if (!/^\s*(\d+(\.\d+)?\s*(ms|s|m|h|d)\s*)+$/.test(text) || text.length > 100) return Number.NaN;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)/g))
    total += Number(amount) * (UNIT_MS[unit as string] as number);
  return total;
}
