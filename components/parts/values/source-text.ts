import { HIDDEN } from "@/lib/engine/privacy/hidden-text";
import type { Json } from "./value-node";

/** How values that are not shown appear in the source: as a name, or as a matcher. */
export interface Unshown {
  masked: string;
  /** A text that is partly masked. */
  hidden: (text: string) => string;
}

const WIDTH = 2;

/** A value as a literal of TypeScript that means the same; never a key that would set a prototype, never a line too many. */
export function sourceText(json: Json, unshown: Unshown, depth = 0): string {
  if (typeof json === "string") return json.includes(HIDDEN) ? unshown.hidden(json) : JSON.stringify(json);
  if (typeof json !== "object" || json === null) return JSON.stringify(json);
  if (Array.isArray(json))
    return inBrackets(
      "[]",
      json.map((item) => sourceText(item, unshown, depth + 1)),
      depth,
    );
  if (isUnshown(json)) return unshown.masked;
  return inBrackets(
    "{}",
    Object.entries(json).map(([key, item]) => `${sourceKey(key)}: ${sourceText(item, unshown, depth + 1)}`),
    depth,
  );
}

/** Masked by its workflow, erased, or sealed with a missing key. */
export const isUnshown = (json: Json): boolean =>
  typeof json === "object" &&
  json !== null &&
  !Array.isArray(json) &&
  (json.$type === "masked" ||
    json.$type === "erased" ||
    json.$type === "locked" ||
    json.$type === "sealed" ||
    json.$type === "blob");

function inBrackets([open, close]: string, items: string[], depth: number): string {
  if (items.length === 0) return `${open}${close}`;
  const inside = " ".repeat(WIDTH * (depth + 1));
  return `${open}\n${items.map((item) => `${inside}${item},\n`).join("")}${" ".repeat(WIDTH * depth)}${close}`;
}

function sourceKey(key: string): string {
  // Written plainly it would set the prototype.
  if (key === "__proto__") return `["__proto__"]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}
