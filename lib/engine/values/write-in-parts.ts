import type { Parts } from "../parts";

/** Values that are written at a time; a long text counts as many. */
const PART = 200;
const CHARACTERS_OF_A_VALUE = 128;
/** Characters of a piece of the text. */
const PIECE = 65_536;

/**
 * `JSON.stringify` in parts: the pieces of its text. For what it writes as text; it must not refer back to itself.
 * @param part values that are written at a time; tests choose it
 */
export function* writeInParts(json: unknown, part = PART): Parts<string[]> {
  const pieces: string[] = [];
  let piece = "";
  const put = (text: string) => {
    piece += text;
    if (piece.length < PIECE) return;
    pieces.push(piece);
    piece = "";
  };
  yield* write(json, part, put);
  if (piece !== "") pieces.push(piece);
  return pieces;
}

type Put = (text: string) => void;

function* write(json: unknown, part: number, put: Put): Parts<void> {
  if (typeof json !== "object" || json === null || isSmall(json, part)) return put(JSON.stringify(json) ?? "null");
  yield;
  if (Array.isArray(json)) yield* writeItems(json, part, put);
  else yield* writeFields(Object.entries(json), part, put);
}

function* writeItems(items: readonly unknown[], part: number, put: Put): Parts<void> {
  put("[");
  for (let at = 0; at < items.length; ) {
    if (at > 0) put(",");
    const small = smallOnes(items, at, part);
    if (small > at) put(JSON.stringify(items.slice(at, small)).slice(1, -1));
    else yield* write(items[at], part, put);
    at = Math.max(small, at + 1);
    yield;
  }
  put("]");
}

function* writeFields(fields: readonly [string, unknown][], part: number, put: Put): Parts<void> {
  put("{");
  let written = 0;
  for (const [key, value] of fields) {
    if (!isWritten(value)) continue;
    put(`${written > 0 ? "," : ""}${JSON.stringify(key)}:`);
    yield* write(value, part, put);
    if (++written % part === 0) yield;
  }
  put("}");
}

/** The end of as many items as may be written at once: with their own parts, no more than `part` values. */
function smallOnes(items: readonly unknown[], from: number, part: number): number {
  let left = part;
  let to = from;
  for (; to < items.length && left > 0; to++) {
    const rest = left - weightOf(items[to], left);
    if (rest < 0) break;
    left = rest;
  }
  return to;
}

const isSmall = (json: unknown, part: number) => weightOf(json, part) <= part;

/** `JSON.stringify` leaves a field out that is none of these. */
const isWritten = (value: unknown) => value !== undefined && typeof value !== "function" && typeof value !== "symbol";

/** How many values it has, itself included; counting ends above `most`. An object that writes itself counts as one. */
function weightOf(json: unknown, most: number): number {
  if (typeof json === "string") return 1 + json.length / CHARACTERS_OF_A_VALUE;
  if (typeof json !== "object" || json === null || "toJSON" in json) return 1;
  let weight = 1;
  for (const item of Array.isArray(json) ? json : Object.values(json)) {
    if (weight > most) break;
    weight += weightOf(item, most - weight);
  }
  return weight;
}
