import { hmacSha256, permuteBlock, sha256, unpermuteBlock } from "../digest";
import type { NamedKey, NamedKeys } from "../named-keys";

/*
 * A masked tag that everyone who may search runs may find by its whole value (`searchable` of a workflow) is stored as a keyed
 * digest, `masked:KEY:DIGEST`: who reads the database without the key can neither read the value nor test a guess. The digest is
 * the first half of the value's SHA-256 through one block of AES-256: as unpredictable as an HMAC, and another key can take its
 * place without the value, which is stored nowhere.
 */

/** Until the store has applied the key. PostgreSQL refuses a NUL: a statement that forgets to do so writes nothing. */
const UNKEYED = "\0";
const DIGITS = 32;
const KEYED = /^masked:([a-z0-9._-]{1,32}):([0-9a-f]{32})$/;

/** People write an address in other case, and paste it with spaces around it. */
const normalised = (value: string) => value.normalize("NFKC").trim().toLowerCase().replaceAll(/\s+/g, " ");

const digestOf = (value: string): string => sha256(normalised(value)).slice(0, DIGITS);

/** @param otherwise as which it is stored where there is no key */
export const searchableTag = (value: string, otherwise: string): string => `${UNKEYED}${digestOf(value)}${otherwise}`;

/** As it is stored; a tag that is not searchable stays as it is. */
export function withKey(keys: NamedKeys | null, tag: string): string {
  if (!tag.startsWith(UNKEYED)) return tag;
  return keys ? keyed(keys.current, tag.slice(1, 1 + DIGITS)) : tag.slice(1 + DIGITS);
}

/** As which a value may be stored: under each key. */
export const keyedForms = (keys: NamedKeys | null, value: string): string[] =>
  [...(keys?.byId.values() ?? [])].map((key) => keyed(key, digestOf(value)));

/** The id of the key of a stored tag; undefined for any other tag. */
export const keyIdOfTag = (tag: string): string | undefined => KEYED.exec(tag)?.[1];

/** The same under the current key; undefined where its own is not here. */
export function rekeyed(keys: NamedKeys, tag: string): string | undefined {
  const [, id = "", digest = ""] = KEYED.exec(tag) ?? [];
  const key = keys.byId.get(id);
  return key && keyed(keys.current, unpermuteBlock(keyOf(key), digest));
}

const keyed = (key: NamedKey, digest: string) => `masked:${key.id}:${permuteBlock(keyOf(key), digest)}`;

/** Derived: a payload's key has one use. */
const keyOf = ({ secret }: NamedKey): Buffer => Buffer.from(hmacSha256(secret, "handrail searchable tags 1"), "hex");
