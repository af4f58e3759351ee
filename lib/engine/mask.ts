import { HandrailError } from "./errors";
import type { HiddenText } from "./hidden-text";

/*
 * Which parts of a stored value people are not shown. A path is the end of a way of keys: "card.number" is every `number` that
 * stands directly in a `card`, at whatever depth and in whatever value of the run. Places in lists are no part of the way. `*`
 * stands for any one key. Upper and lower case are the same.
 */

/** Stands where a masked value was. No codec reads it: what was masked cannot be sent back as an input by mistake. */
export const MASKED = { $type: "masked" } as const;

/** Names under which no value is ever shown, whatever a workflow declares; without regard to case, `-` and `_`. */
const ALWAYS =
  /password|passwd|passphrase|secret|authorization|apikey|accesskey|privatekey|credential|cookie|token$|^cv[cv]$/;

const MAX_PATHS = 100;
const MAX_PATH_LENGTH = 200;

/** Shorter ones are masked in their own place only: they stand in any text by chance. */
const SHORTEST_SECRET = 4;

/** @throws HandrailError `invalid_workflow` that says what to write instead */
export function checkMaskedPaths(workflow: string, paths: readonly string[]): readonly string[] {
  const refuse = (why: string) => new HandrailError("invalid_workflow", `masked of workflow "${workflow}": ${why}`);
  if (paths.length > MAX_PATHS) throw refuse(`there are ${paths.length} paths; ${MAX_PATHS} are the most.`);
  for (const path of paths)
    if (path.length > MAX_PATH_LENGTH || path.includes("\0") || path.split(".").some((key) => key === ""))
      throw refuse(`"${path.slice(0, 50)}" is no path. Write keys with dots between, such as "card.number".`);
  return paths;
}

/** What is masked, ready to be asked. */
export interface Mask {
  covers(way: readonly string[]): boolean;
}

export function maskOf(paths: readonly string[]): Mask {
  const ways = paths.map((path) => path.toLowerCase().split(".").reverse());
  return {
    covers(way) {
      const last = way.at(-1);
      if (last === undefined) return ways.some((keys) => keys.every((key) => key === "*"));
      return isAlwaysMasked(last) || ways.some((keys) => endsWith(way, keys));
    },
  };
}

const isAlwaysMasked = (key: string) => ALWAYS.test(key.toLowerCase().replaceAll(/[-_\s]/g, ""));

/** A `*` at the beginning of a path asks for nothing: it is said of any depth. */
function endsWith(way: readonly string[], backwards: readonly string[]): boolean {
  return backwards.every((key, index) => {
    const there = way.at(-1 - index)?.toLowerCase();
    return key === "*" ? there !== undefined || index === backwards.length - 1 : key === there;
  });
}

export type Json = unknown;
type Fields = Record<string, Json>;
type Place = { mask: Mask; text: HiddenText; way: readonly string[]; found: (way: readonly string[]) => void };

/**
 * A stored value, as JSON, without what is masked: by its place, and by its value wherever that stands in another text.
 * @param found told of the way of each place that was masked
 */
export function masked(
  json: Json,
  mask: Mask,
  text: HiddenText,
  found: (way: readonly string[]) => void = () => undefined,
): Json {
  return walk(json, { mask, text, way: [], found });
}

/**
 * A value that somebody wrote from a masked one: what they left as it was shown is what it was, the rest is theirs. So an input can
 * be edited by who may not see all of it. A list that was edited is theirs whole: nobody knows which of its items is which.
 */
export function restored(given: Json, shown: Json, original: Json): Json {
  if (isSame(given, shown)) return original;
  if (!isFields(given) || !isFields(shown) || !isFields(original)) return given;
  const has = (key: string) => Object.hasOwn(shown, key) && Object.hasOwn(original, key);
  return Object.fromEntries(
    Object.entries(given).map(([key, item]) => [key, has(key) ? restored(item, shown[key], original[key]) : item]),
  );
}

const isSame = (one: Json, other: Json) => JSON.stringify(one) === JSON.stringify(other);

const isFields = (json: Json): json is Fields => typeof json === "object" && json !== null && !Array.isArray(json);

/** The texts and numbers in masked places, of which no other text may tell. */
export function secretsIn(json: Json, mask: Mask): Set<string> {
  const secrets = new Set<string>();
  const found = new Set<Json>();
  const collect = (value: Json, way: readonly string[], within: boolean): void => {
    const inside = within || mask.covers(way);
    if (inside && isScalar(value)) found.add(value);
    for (const [key, item] of partsOf(value)) collect(item, key === null ? way : [...way, key], inside);
  };
  collect(json, [], false);
  for (const value of found) {
    const secret = scalarText(value);
    if (secret !== null && secret.trim().length >= SHORTEST_SECRET) secrets.add(secret);
  }
  return secrets;
}

function walk(json: Json, place: Place): Json {
  if (json === null || isUndefined(json)) return json;
  if (place.mask.covers(place.way)) {
    place.found(place.way);
    return MASKED;
  }
  if (typeof json === "string") return place.text.hideIn(json);
  const scalar = scalarText(json);
  if (scalar !== null) return maskedScalar(json, scalar, place);
  if (Array.isArray(json)) return json.map((item) => walk(item, place));
  if (typeof json !== "object") return json;
  return typeOf(json) === undefined ? walkFields(json as Fields, place) : walkTagged(json as Fields, place);
}

function maskedScalar(json: Json, scalar: string, { text }: Place): Json {
  const shown = text.hideIn(scalar);
  if (shown === scalar) return json;
  const type = typeOf(json);
  return type === "string" || type === "URL" ? shown : MASKED;
}

function walkFields(fields: Fields, place: Place): Fields {
  const { text, way } = place;
  return Object.fromEntries(
    Object.entries(fields).map(([key, item]) => [text.hideIn(key), walk(item, { ...place, way: [...way, key] })]),
  );
}

function walkTagged(tagged: Fields, place: Place): Json {
  const { $type: type, value } = tagged;
  if (type === "Map" || type === "object") {
    const entries = value as [Json, Json][];
    const within = (key: string | null) => (key === null ? place : { ...place, way: [...place.way, key] });
    return {
      $type: type,
      value: entries.map(([key, item]) => [walk(key, { ...place, way: [""] }), walk(item, within(keyText(key)))]),
    };
  }
  return value === undefined ? tagged : { ...tagged, value: walk(value, place) };
}

/** What a value consists of, each part with its key; null for a place in a list. */
function partsOf(value: Json): (readonly [string | null, Json])[] {
  if (Array.isArray(value)) return value.map((item) => [null, item] as const);
  if (typeof value !== "object" || value === null || isScalar(value)) return [];
  const type = typeOf(value);
  if (type === undefined) return Object.entries(value);
  const inner = (value as Fields).value;
  if (type === "Map" || type === "object")
    return (inner as [Json, Json][]).map(([key, item]) => [keyText(key), item] as const);
  return inner === undefined ? [] : [[null, inner]];
}

const typeOf = (json: Json): string | undefined =>
  typeof json === "object" && json !== null && Object.hasOwn(json, "$type")
    ? String((json as Fields).$type)
    : undefined;

const isUndefined = (json: Json) => typeOf(json) === "undefined";

const keyText = (key: Json): string | null => (typeof key === "string" ? key : scalarText(key));

const isScalar = (json: Json) => scalarText(json) !== null;

/** Types of which the text is the value. */
const SCALAR_TYPES = new Set(["string", "bigint", "number", "Date", "URL"]);

/** A text or a number as people would write it; null for everything else. */
function scalarText(json: Json): string | null {
  if (typeof json === "string") return json;
  if (typeof json === "number") return String(json);
  const type = typeOf(json);
  if (type === undefined || !SCALAR_TYPES.has(type)) return null;
  const { value } = json as Fields;
  // As the codec writes a text that JSON cannot hold: the inside of a literal.
  return type === "string" ? (JSON.parse(`"${value}"`) as string) : String(value);
}
