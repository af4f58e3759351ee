import { HandrailError } from "../errors";
import { MAX_VALUE_BYTES } from "./bounds";
import { isPlainText } from "./plain-text";

/*
 * The only encoder and decoder of values. The text is JSON that any reader can parse; what JSON lacks is written as {
 * "$type": …, "value": … }. Two more guarantees: it never contains \u0000 or a lone surrogate, which Postgres refuses
 * in jsonb, and decoding what was encoded gives equal values, so a replay cannot differ from the first pass.
 */

/** Deeper values break the pages and tools that show them, long before they break a database. */
export const MAX_DEPTH = 100;

/** An array of so many items may have holes. */
const FEW_ITEMS = 10_000;

const TYPE = "$type";

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export interface CodecOptions {
  /** Bytes of UTF-8. Default 1 MiB. */
  maxBytes?: number;
}

/**
 * @param where the name of the value, for the message: `output of step "charge"`
 * @throws HandrailError `invalid_value` with the path of what cannot be encoded, `value_too_large` over the cap
 */
export function encodeValue(value: unknown, where = "value", options: CodecOptions = {}): string {
  const text = JSON.stringify(isPlain(value) ? value : toJson(value, { where, path: [], ancestors: new Set() }));
  const maxBytes = options.maxBytes ?? MAX_VALUE_BYTES;
  if (text.length * 3 > maxBytes && utf8Length(text) > maxBytes)
    throw new HandrailError(
      "value_too_large",
      `The ${where} takes ${utf8Length(text).toLocaleString("en")} bytes; the cap is ${maxBytes.toLocaleString("en")}. ${maxBytes === MAX_VALUE_BYTES ? "A blob store takes larger outputs and inputs of runs (docs/blobs.md); or store it" : "Store it"} elsewhere and keep a reference to it.`,
    );
  return text;
}

/** Inverse of `encodeValue`. @throws HandrailError `invalid_value` for text that it cannot have written */
export const decodeValue = (text: string): unknown =>
  decoding(() => {
    const json = JSON.parse(text) as Json;
    return text.includes(`"${TYPE}"`) ? fromJson(json) : json;
  });

/** The same for parsed JSON. @throws HandrailError `invalid_value` for what `encodeValue` cannot have written */
export const decodeJson = (json: unknown): unknown => decoding(() => fromJson(json as Json));

function decoding(decode: () => unknown): unknown {
  try {
    return decode();
  } catch (error) {
    if (error instanceof HandrailError) throw error;
    throw new HandrailError("invalid_value", "A stored value is not JSON.", {}, { cause: error });
  }
}

/** Parsed external JSON, such as an HTTP body, as the text of a stored value. Tagged values keep their meaning. */
export function encodeJson(json: unknown, where = "value", options: CodecOptions = {}): string {
  return encodeValue(fromJson(json as Json), where, options);
}

/** Whether a value is plain JSON: encoding and decoding do not change it. */
export function isPlain(value: unknown, depth = 0): boolean {
  switch (typeof value) {
    case "string":
      return isPlainText(value);
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0);
    case "boolean":
      return true;
    case "object":
      return value === null || hasPlainParts(value, depth);
    default:
      return false;
  }
}

function hasPlainParts(value: object, depth: number): boolean {
  if (depth >= MAX_DEPTH || "toJSON" in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value)) {
    // By index: the holes of a sparse array are undefined, which JSON lacks.
    for (let index = 0; index < value.length; index++) if (!isPlain(value[index], depth + 1)) return false;
    return prototype === Array.prototype;
  }
  if (prototype !== Object.prototype && prototype !== null) return false;
  const fields = value as Record<string, unknown>;
  for (const key of Object.keys(fields))
    if (key === TYPE || !isPlainText(key) || !isPlain(fields[key], depth + 1)) return false;
  return true;
}

interface Walk {
  where: string;
  path: (string | number)[];
  ancestors: Set<object>;
}

function refuse(walk: Walk, why: string): never {
  const path = walk.path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("");
  throw new HandrailError("invalid_value", `The ${walk.where} cannot be kept: ${path || "the value itself"} ${why}`, {
    path: walk.path,
  });
}

const tagged = (type: string, value?: Json): Json => (value === undefined ? { [TYPE]: type } : { [TYPE]: type, value });

function toJson(value: unknown, walk: Walk): Json {
  switch (typeof value) {
    case "string":
      return stringToJson(value);
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : tagged("number", Object.is(value, -0) ? "-0" : String(value));
    case "boolean":
      return value;
    case "undefined":
      return tagged("undefined");
    case "bigint":
      return tagged("bigint", value.toString());
    case "object":
      return value === null ? null : objectToJson(value, walk);
    default:
      return refuse(walk, `is a ${typeof value}. Return plain values from a step.`);
  }
}

function stringToJson(text: string): Json {
  if (isPlainText(text)) return text;
  // As the inside of a JSON string literal: ASCII where necessary, and readable.
  return tagged("string", JSON.stringify(text).slice(1, -1));
}

function objectToJson(value: object, walk: Walk): Json {
  if (walk.ancestors.has(value)) refuse(walk, "refers back to one of its parents (a cycle).");
  if (walk.ancestors.size >= MAX_DEPTH) refuse(walk, `lies deeper than ${MAX_DEPTH} levels.`);
  walk.ancestors.add(value);
  const json = instanceToJson(value, walk);
  walk.ancestors.delete(value);
  return json;
}

const each = (values: Iterable<unknown>, walk: Walk): Json[] =>
  Array.from(values, (item, index) => at(walk, index, item));

function at(walk: Walk, key: string | number, value: unknown): Json {
  walk.path.push(key);
  const json = toJson(value, walk);
  walk.path.pop();
  return json;
}

function instanceToJson(value: object, walk: Walk): Json {
  if (Array.isArray(value)) {
    // Each hole would become a value: a few items at large indexes would take all memory.
    if (value.length > FEW_ITEMS && Object.keys(value).length < value.length / 2)
      refuse(walk, "has more holes than items. Use an object or a Map.");
    return each(value, walk);
  }
  if (value instanceof Date)
    return tagged("Date", Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString());
  if (value instanceof Map)
    return tagged(
      "Map",
      Array.from(value, ([key, item], index) => [at(walk, `key ${index}`, key), at(walk, index, item)]),
    );
  if (value instanceof Set) return tagged("Set", each(value, walk));
  if (value instanceof URL) return tagged("URL", value.href);
  if (value instanceof Error) return errorToJson(value, walk);
  if (value instanceof Uint8Array) return tagged("Uint8Array", toBase64(value));
  if (value instanceof Promise) refuse(walk, "is a promise. Await it first.");
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    refuse(walk, "is binary data of a kind that is not kept. Make it a Uint8Array.");
  if (value instanceof WeakMap || value instanceof WeakSet || value instanceof RegExp)
    refuse(walk, `is a ${value.constructor.name}, which cannot be kept. Return plain values from a step.`);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return toJson(toJSON.call(value), walk);
  return recordToJson(Object.entries(value), walk);
}

function recordToJson(entries: [string, unknown][], walk: Walk): Json {
  const plain = entries.every(([key]) => key !== TYPE && isPlainText(key));
  const items = entries.map(([key, item]) => [key, at(walk, key, item)] as const);
  return plain
    ? Object.fromEntries(items)
    : tagged(
        "object",
        items.map(([key, item]) => [stringToJson(key), item]),
      );
}

function errorToJson(error: Error, walk: Walk): Json {
  const own: Record<string, unknown> = { ...error, name: error.name, message: error.message };
  if (error.stack !== undefined) own.stack = error.stack;
  if (error.cause !== undefined) own.cause = error.cause;
  return tagged("Error", recordToJson(Object.entries(own), walk));
}

function fromJson(json: Json, depth = 0): unknown {
  if (typeof json !== "object" || json === null) return json;
  // More than the encoder allows, for the wrappers of tagged values.
  if (depth > MAX_DEPTH * 3)
    throw new HandrailError("invalid_value", `The value is nested deeper than ${MAX_DEPTH} levels.`);
  if (Array.isArray(json)) return json.map((item) => fromJson(item, depth + 1));
  if (Object.hasOwn(json, TYPE)) return fromTagged(json, depth);
  return record(Object.entries(json), depth);
}

// `fromEntries` defines properties instead of assigning them, so "__proto__" is an ordinary key.
const record = (entries: [string, Json][], depth: number): Record<string, unknown> =>
  Object.fromEntries(entries.map(([key, item]) => [key, fromJson(item, depth + 1)]));

function fromTagged(json: { [key: string]: Json }, depth: number): unknown {
  const { [TYPE]: type, value } = json;
  switch (type) {
    case "undefined":
      return undefined;
    case "number":
      return Number(value);
    case "bigint":
      return BigInt(value as string);
    case "string":
      return JSON.parse(`"${value}"`);
    case "Date":
      return new Date(value as string);
    case "Map":
      return new Map(
        (value as [Json, Json][]).map(([key, item]) => [fromJson(key, depth + 1), fromJson(item, depth + 1)]),
      );
    case "Set":
      return new Set((value as Json[]).map((item) => fromJson(item, depth + 1)));
    case "URL":
      return new URL(value as string);
    case "Error":
      return toError(fromJson(value as Json, depth + 1) as Record<string, unknown>);
    case "Uint8Array":
      return fromBase64(value as string);
    case "masked":
      throw new HandrailError("invalid_value", "A masked value cannot be stored: replace it with the value itself.");
    case "erased":
      throw new HandrailError("invalid_value", "The data of this run was erased: its values cannot be read.");
    case "blob":
      throw new HandrailError(
        "invalid_value",
        "A value in the blob store was not loaded: replace it with the value itself.",
      );
    case "sealed":
    case "locked":
      throw new HandrailError("invalid_value", "A sealed value cannot be stored: replace it with the value itself.");
    case "object":
      return record(
        (value as [Json, Json][]).map(([key, item]) => [fromJson(key) as string, item]),
        depth,
      );
    default:
      throw new HandrailError(
        "invalid_value",
        `"${String(type)}" is not a type of stored value. Escape a "${TYPE}" key of the value as an object.`,
      );
  }
}

function toError({ name, message, stack, cause, ...rest }: Record<string, unknown>): Error {
  const error = new Error(String(message), cause === undefined ? undefined : { cause });
  Object.defineProperty(error, "name", { value: name, configurable: true, writable: true });
  if (stack !== undefined) Object.defineProperty(error, "stack", { value: stack, configurable: true, writable: true });
  // Defined, not assigned, so that a field named "__proto__" is an ordinary one.
  return Object.defineProperties(error, Object.getOwnPropertyDescriptors(rest));
}

const utf8Length = (text: string) => new TextEncoder().encode(text).length;

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  // In slices: the number of arguments of a call is limited.
  for (let index = 0; index < bytes.length; index += 32_768)
    binary += String.fromCharCode(...bytes.subarray(index, index + 32_768));
  return btoa(binary);
}

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** Whether two encoded values are equal, regardless of the order of object keys. */
export function sameValue(one: string, other: string): boolean {
  return one === other || isSame(JSON.parse(one), JSON.parse(other));
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSame(item, other[index]))
    );
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}
