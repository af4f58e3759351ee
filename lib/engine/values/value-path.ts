import type { Json } from "../privacy/mask";

/*
 * A path into a stored value of a run, as a person writes it: "input.customer.tier", "output.items.0.sku". The value
 * found keeps its place (the same keys, without siblings), so that masks by place still apply, and a list stays a list.
 * Values are the codec's tagged JSON: keys of a Map are ordinary keys.
 */

/** More columns than a screen has room for. */
export const MAX_PATHS = 12;
export const MAX_PATH_LENGTH = 200;
const MAX_KEYS = 12;
/** Of the JSON of one value, in characters; a table has no room for more. */
export const MAX_PICKED_LENGTH = 2_000;

export interface ValuePath {
  of: "input" | "output";
  /** From the value's top; a number may be a list index. */
  keys: string[];
}

/** Null if the path is invalid. Commas separate paths, so a path contains none. */
export function parseValuePath(text: string): ValuePath | null {
  const [of, ...keys] = text.split(".");
  if (of !== "input" && of !== "output") return null;
  const fits = keys.length > 0 && keys.length <= MAX_KEYS && keys.every((key) => key !== "" && !key.includes(","));
  return fits && text.length <= MAX_PATH_LENGTH ? { of, keys } : null;
}

/** The value reduced to what the path leads to; an empty shell if that does not exist. */
export function pruned(json: Json, keys: readonly string[]): Json {
  const [key, ...rest] = keys;
  if (key === undefined) return within(json);
  if (isWithheld(json)) return json;
  if (Array.isArray(json)) {
    const item = /^\d+$/.test(key) ? json[Number(key)] : undefined;
    return item === undefined ? [] : [pruned(item, rest)];
  }
  const entries = entriesOf(json);
  if (entries) {
    const entry = entries.find(([name]) => keyText(name) === key);
    return { $type: typeOf(json), value: entry ? [[entry[0], pruned(entry[1], rest)]] : [] };
  }
  if (!isFields(json) || typeOf(json) !== undefined || !Object.hasOwn(json, key)) return {};
  return Object.fromEntries([[key, pruned(json[key], rest)]]);
}

/** A pruned value whose keys were changed since: empty if the path no longer leads anywhere. */
export function shellOf(shell: Json, keys: readonly string[]): Json {
  const [key, ...rest] = keys;
  if (key === undefined || isWithheld(shell)) return shell;
  if (Array.isArray(shell)) return shell.length === 0 ? [] : [shellOf(shell[0], rest)];
  const entries = entriesOf(shell);
  if (entries) {
    const [entry] = entries;
    const leads = entry !== undefined && keyText(entry[0]) === key;
    return { $type: typeOf(shell), value: leads ? [[entry[0], shellOf(entry[1], rest)]] : [] };
  }
  return isFields(shell) && Object.hasOwn(shell, key) ? { [key]: shellOf(shell[key], rest) } : {};
}

/** The value in a pruned value: undefined if there is none, its placeholder if it is withheld. */
export function foundIn(shell: Json, keys: readonly string[]): Json | undefined {
  const [key, ...rest] = keys;
  if (shell === undefined || key === undefined || isWithheld(shell)) return shell;
  if (Array.isArray(shell)) return shell.length === 0 ? undefined : foundIn(shell[0], rest);
  const entries = entriesOf(shell);
  if (entries) return entries[0] && foundIn(entries[0][1], rest);
  return isFields(shell) && Object.hasOwn(shell, key) ? foundIn(shell[key], rest) : undefined;
}

/** At most this many paths to single values, in document order, as candidates for columns. */
export function pathsIn(json: Json, of: ValuePath["of"], most: number): string[] {
  const found: string[] = [];
  const visit = (value: Json, path: string): void => {
    if (found.length >= most || path.split(".").length > MAX_KEYS) return;
    if (!isFields(value) || Array.isArray(value) || (typeOf(value) !== undefined && !entriesOf(value))) {
      if (path !== of && !Array.isArray(value) && parseValuePath(path)) found.push(path);
      return;
    }
    const parts = entriesOf(value)?.map(([key, item]) => [keyText(key), item] as const) ?? Object.entries(value);
    for (const [key, item] of parts) if (!key.includes(".") && !key.includes(",")) visit(item, `${path}.${key}`);
  };
  visit(json, of);
  return found;
}

/** All or nothing: a cut text would keep the beginning of a masked value, which can no longer be recognised. */
function within(json: Json): Json {
  const length = JSON.stringify(json)?.length ?? 0;
  return length <= MAX_PICKED_LENGTH ? json : { $type: "clipped", bytes: length };
}

type Fields = Record<string, Json>;

const isFields = (json: Json): json is Fields => typeof json === "object" && json !== null;

const typeOf = (json: Json): string | undefined =>
  isFields(json) && Object.hasOwn(json, "$type") ? String(json.$type) : undefined;

const WITHHELD = new Set(["masked", "clipped", "locked", "erased"]);

/** Whether this is the placeholder of a withheld value. */
export const isWithheld = (json: Json): boolean => WITHHELD.has(typeOf(json) ?? "");

const entriesOf = (json: Json): [Json, Json][] | undefined =>
  typeOf(json) === "Map" || typeOf(json) === "object" ? ((json as Fields).value as [Json, Json][]) : undefined;

const keyText = (key: Json): string => (typeof key === "string" ? key : JSON.stringify(key));
