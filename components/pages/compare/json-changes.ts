import { pathTo } from "@/components/parts/values/json-search";
import { isUnshown } from "@/components/parts/values/source-text";
import type { Json } from "@/components/parts/values/value-node";
import { HIDDEN } from "@/lib/engine/privacy/hidden-text";

/** A path at which two values differ; undefined where one has no value. */
export interface JsonChange {
  /** As one writes it in code: `order.lines[2].sku`; empty for the value itself. */
  path: string;
  here: Json | undefined;
  there: Json | undefined;
}

export interface JsonChanges {
  changes: JsonChange[];
  /** There are more than were searched. */
  more: boolean;
  /** Part of neither value is shown, so it is unknown whether they are the same. */
  unseen: boolean;
}

const MOST = 200;

/** Differences between two values, path by path; at most 200. */
export function jsonChanges(here: Json | undefined, there: Json | undefined): JsonChanges {
  const found: JsonChanges = { changes: [], more: false, unseen: false };
  compare(here, there, "", found);
  return found;
}

export const isSame = ({ changes }: JsonChanges): boolean => changes.length === 0;

function compare(here: Json | undefined, there: Json | undefined, path: string, found: JsonChanges): void {
  if (found.more) return;
  if (isHidden(here) && isHidden(there)) {
    found.unseen = true;
    return;
  }
  if (isList(here) && isList(there))
    compareParts(
      Array.from({ length: Math.max(here.length, there.length) }, (_, index) => index),
      (index) => [here[index], there[index], `${path}[${index}]`],
      found,
    );
  else if (isRecord(here) && isRecord(there))
    compareParts(
      [...new Set([...Object.keys(here), ...Object.keys(there)])],
      (key) => [own(here, key), own(there, key), pathTo(path, key)],
      found,
    );
  else if (here !== there && found.changes.length < MOST) found.changes.push({ path, here, there });
  else if (here !== there) found.more = true;
}

function compareParts<Key>(
  keys: Key[],
  parts: (key: Key) => [Json | undefined, Json | undefined, string],
  found: JsonChanges,
): void {
  for (const key of keys) {
    if (found.more) return;
    compare(...parts(key), found);
  }
}

const isHidden = (value: Json | undefined) =>
  value !== undefined && (typeof value === "string" ? value.includes(HIDDEN) : isUnshown(value));
const isList = (value: Json | undefined): value is Json[] => Array.isArray(value);
const isRecord = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isUnshown(value);
const own = (value: { [key: string]: Json }, key: string) => (Object.hasOwn(value, key) ? value[key] : undefined);
