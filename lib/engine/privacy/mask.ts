import { HandrailError } from "../errors";
import { inOneGo, type Parts } from "../parts";
import { setField } from "../set-field";
import type { HiddenText } from "./hidden-text";

/*
 * Which parts of a stored value are masked. A path matches the end of a sequence of keys: "card.number" is every
 * `number` directly in a `card`, at any depth and in any value of the run. List indexes are not part of the sequence.
 * `*` matches any one key. Case-insensitive.
 */

/** Replaces a masked value. The codec refuses it, so that a masked value cannot be sent back as an input by mistake. */
export const MASKED = { $type: "masked" } as const;

/** Names that are always masked, regardless of declarations, case, `-` and `_`. */
const ALWAYS =
  /password|passwd|passphrase|secret|authorization|apikey|accesskey|privatekey|credential|cookie|token$|^cv[cv]$/;

const MAX_PATHS = 100;
const MAX_PATH_LENGTH = 200;

/** Shorter values are masked in their place only: they also occur by coincidence in other texts. */
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

/** The masked paths, compiled. */
export interface Mask {
  covers(way: readonly string[]): boolean;
}

export function maskOf(paths: readonly string[]): Mask {
  const ways = paths.map((path) => folded(path).split(".").reverse());
  // A value has few different keys, each many times.
  const always = new Map<string, boolean>();
  return {
    covers(way) {
      const last = way.at(-1);
      if (last === undefined) return ways.some((keys) => keys.every((key) => key === "*"));
      const known = always.get(last) ?? isAlwaysMasked(last);
      always.set(last, known);
      return known || ways.some((keys) => endsWith(way, keys));
    },
  };
}

/** A letter with an accent may be one character or two. */
const folded = (key: string) => key.normalize("NFC").toLowerCase();

const isAlwaysMasked = (key: string) => ALWAYS.test(key.toLowerCase().replaceAll(/[-_\s]/g, ""));

/** A leading `*` has no effect: paths match at any depth. */
function endsWith(way: readonly string[], backwards: readonly string[]): boolean {
  return backwards.every((key, index) => {
    const next = way.at(-1 - index);
    const there = next === undefined ? next : folded(next);
    return key === "*" ? there !== undefined || index === backwards.length - 1 : key === there;
  });
}

export type Json = unknown;
type Fields = Record<string, Json>;
type Place = {
  mask: Mask;
  text: HiddenText;
  way: readonly string[];
  found: (way: readonly string[]) => void;
  /** Values that were masked or passed, in total. */
  passed: { values: number };
};

/** Between two pauses. */
const VALUES_IN_A_PART = 500;
/** A text of more characters is searched in parts. */
const LONG = 1_000;

/**
 * A stored value, as JSON, without masked values: removed in their places, and wherever they occur in another text.
 * @param found called with the keys of each masked place
 */
export function masked(
  json: Json,
  mask: Mask,
  text: HiddenText,
  found: (way: readonly string[]) => void = () => undefined,
): Json {
  return inOneGo(maskedInParts(json, mask, text, found));
}

/** The same for a value that may be large, in parts. */
export const maskedInParts = (
  json: Json,
  mask: Mask,
  text: HiddenText,
  found: (way: readonly string[]) => void = () => undefined,
): Parts<Json> => walk(json, { mask, text, way: [], found, passed: { values: 0 } });

/**
 * A value edited from a masked one: unchanged masks get their original value, the rest is as given. So a person can
 * edit an input without seeing all of it. An edited list is taken as given: its items cannot be matched.
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

/** The texts and numbers in masked places, which must not appear in other texts. */
export function* secretsInParts(json: Json, mask: Mask): Parts<Set<string>> {
  const secrets = new Set<string>();
  let values = 0;
  const note = (value: Json, inside: boolean) => {
    const secret = inside ? scalarText(value) : null;
    if (secret !== null && secret.trim().length >= SHORTEST_SECRET) secrets.add(secret);
  };
  function* collect(value: Json, way: string[], within: boolean): Parts<void> {
    const inside = within || mask.covers(way);
    note(value, inside);
    for (const [key, item] of partsOf(value)) {
      if (++values % VALUES_IN_A_PART === 0) yield;
      if (key !== null) way.push(key);
      if (typeof item === "object" && item !== null) yield* collect(item, way, inside);
      else note(item, inside || mask.covers(way));
      if (key !== null) way.pop();
    }
  }
  yield* collect(json, [], false);
  return secrets;
}

function* walk(json: Json, place: Place): Parts<Json> {
  if (isPartFull(place)) yield;
  if (!isLarge(json)) return shownSmall(json, place);
  if (place.mask.covers(place.way)) return maskedAt(place);
  if (typeof json === "string") return yield* place.text.hideInParts(json);
  const scalar = scalarText(json);
  if (scalar !== null) return shownScalar(json, yield* place.text.hideInParts(scalar), scalar);
  if (Array.isArray(json)) return yield* walkItems(json, place);
  return yield* typeOf(json) === undefined ? walkFields(json as Fields, place) : walkTagged(json as Fields, place);
}

const isPartFull = ({ passed }: Place): boolean => ++passed.values % VALUES_IN_A_PART === 0;

/** A value that may take long: anything nested, and a long text. */
const isLarge = (json: Json): boolean =>
  (typeof json === "object" && json !== null && !isUndefined(json)) || (typeof json === "string" && json.length > LONG);

function shownSmall(json: Json, place: Place): Json {
  if (json === null || isUndefined(json)) return json;
  if (place.mask.covers(place.way)) return maskedAt(place);
  const scalar = scalarText(json);
  return scalar === null ? json : shownScalar(json, place.text.hideIn(scalar), scalar);
}

function maskedAt({ found, way }: Place): Json {
  found([...way]);
  return MASKED;
}

function shownScalar(json: Json, shown: string, scalar: string): Json {
  if (shown === scalar) return json;
  const type = typeOf(json);
  return typeof json === "string" || type === "string" || type === "URL" ? shown : MASKED;
}

function* walkItems(items: readonly Json[], place: Place): Parts<Json[]> {
  const shown: Json[] = [];
  for (const item of items) shown.push(yield* walk(item, place));
  return shown;
}

/** Where nothing is masked in them, the fields themselves. */
function* walkFields(fields: Fields, place: Place): Parts<Fields> {
  const shown: Fields = {};
  const way = [...place.way, ""];
  const within = { ...place, way };
  let same = true;
  for (const key of Object.keys(fields)) {
    way[way.length - 1] = key;
    const item = fields[key];
    const name = key.length > LONG ? yield* place.text.hideInParts(key) : place.text.hideIn(key);
    if (isPartFull(place)) yield;
    const value = isLarge(item) ? yield* walk(item, within) : shownSmall(item, within);
    same &&= name === key && value === item;
    setField(shown, name, value);
  }
  return same ? fields : shown;
}

function* walkTagged(tagged: Fields, place: Place): Parts<Json> {
  const { $type: type, value } = tagged;
  if (type !== "Map" && type !== "object")
    return value === undefined ? tagged : { ...tagged, value: yield* walk(value, place) };
  const shown: [Json, Json][] = [];
  for (const [key, item] of value as [Json, Json][]) {
    const text = keyText(key);
    const within = text === null ? place : { ...place, way: [...place.way, text] };
    shown.push([yield* walk(key, { ...place, way: [""] }), yield* walk(item, within)]);
  }
  return { $type: type, value: shown };
}

/** The parts of a value, each with its key; null for a list index. */
function* partsOf(value: Json): Generator<readonly [string | null, Json]> {
  if (Array.isArray(value)) for (const item of value) yield [null, item];
  if (Array.isArray(value) || typeof value !== "object" || value === null || isScalar(value)) return;
  const type = typeOf(value);
  const inner = (value as Fields).value;
  if (type === undefined) yield* Object.entries(value);
  else if (type === "Map" || type === "object")
    for (const [key, item] of inner as [Json, Json][]) yield [keyText(key), item];
  else if (inner !== undefined) yield [null, inner];
}

const typeOf = (json: Json): string | undefined =>
  typeof json === "object" && json !== null && Object.hasOwn(json, "$type")
    ? String((json as Fields).$type)
    : undefined;

const isUndefined = (json: Json) => typeOf(json) === "undefined";

const keyText = (key: Json): string | null => (typeof key === "string" ? key : scalarText(key));

const isScalar = (json: Json) => scalarText(json) !== null;

/** Types whose value is their text. */
const SCALAR_TYPES = new Set(["string", "bigint", "number", "Date", "URL"]);

/** A text or a number as people would write it; null for everything else. */
function scalarText(json: Json): string | null {
  if (typeof json === "string") return json;
  if (typeof json === "number") return String(json);
  const type = typeOf(json);
  if (type === undefined || !SCALAR_TYPES.has(type)) return null;
  const { value } = json as Fields;
  // The codec's form of a text that JSON cannot hold: the inside of a literal.
  return type === "string" ? (JSON.parse(`"${value}"`) as string) : String(value);
}
