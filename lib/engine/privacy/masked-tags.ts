import { sha256 } from "../digest";
import type { Parts } from "../parts";
import { parseOwnInParts } from "../values/parse-in-parts";
import { hiddenText } from "./hidden-text";
import { type Mask, maskOf, secretsInParts } from "./mask";
import { searchableTag } from "./searchable-tags";

/*
 * A tag that reveals a masked value is stored as a digest only, in the row and in its index: those who may see masked
 * values can find the run by the value, others cannot test whether there is one, unless its workflow says so (`searchable`).
 */

const PREFIX = "masked:";

export const maskedTag = (value: string): string => `${PREFIX}${sha256(value).slice(0, 32)}`;

export const isMaskedTag = (value: string): boolean => value.startsWith(PREFIX);

interface Masking {
  /** Paths. */
  masked: readonly string[];
  /** Names of tags. */
  searchable: readonly string[];
}

/**
 * Tags ready to be written by the store, which has the key of searchable ones.
 * @param input JSON text
 */
export function* withMaskedTags(
  tags: Record<string, string>,
  { masked, searchable }: Masking,
  input: string,
): Parts<Record<string, string>> {
  const entries = Object.entries(tags);
  if (entries.length === 0) return tags;
  const mask = maskOf(masked);
  // Called for every start: the input is searched only if its workflow masks something.
  const text = masked.length > 0 ? hiddenText(yield* secretsInParts(yield* parseOwnInParts(input), mask)) : null;
  const reveals = (name: string, value: string) =>
    coversTag(mask, name) || (text !== null && text.hideIn(value) !== value);
  const hidden = (name: string, value: string) =>
    searchable.includes(name) ? searchableTag(value, maskedTag(value)) : maskedTag(value);
  return Object.fromEntries(entries.map(([name, value]) => [name, reveals(name, value) ? hidden(name, value) : value]));
}

/** A key that reveals a masked value, as a digest; any other as it is. @param input JSON text */
export function* withMaskedKey(key: string, paths: readonly string[], input: string): Parts<string> {
  return (yield* withMaskedTags({ "": key }, { masked: paths, searchable: [] }, input))[""] as string;
}

/** A key as people see it: null if it was made of masked values, also where a caller has keys apart. */
export const shownKey = (key: string): string | null => (key.includes(PREFIX) ? null : key);

const coversTag = (mask: Mask, name: string) => mask.covers([name]);

/** The stored values to find for a requested tag: the value, and for those who may see masked values its digest. */
export function tagValuesFor(asked: string, blind: boolean): string[] {
  if (!blind) return [asked, maskedTag(asked)];
  // A digest given as the value finds nothing.
  return [isMaskedTag(asked) ? PREFIX : asked];
}
