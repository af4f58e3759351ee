import { isMaskedTag, tagValuesFor } from "../engine/privacy/masked-tags";
import { keyedForms, withKey } from "../engine/privacy/searchable-tags";
import { payloadKeys } from "./payloads";

/** A new run's tags, as JSON: searchable ones under the key of this process. */
export const storedTags = (tags: Record<string, string>): string => {
  const keys = payloadKeys();
  return JSON.stringify(Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, withKey(keys, value)])));
};

/** The stored values to find for a requested tag, for callers who may see masked values, or may not (`blind`). */
export const storedValuesFor = (asked: string, blind: boolean): string[] => [
  ...tagValuesFor(asked, blind),
  ...(isMaskedTag(asked) ? [] : keyedForms(payloadKeys(), asked)),
];
