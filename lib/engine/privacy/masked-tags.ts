import { sha256 } from "../digest";
import { hiddenText } from "./hidden-text";
import { type Mask, maskOf, secretsIn } from "./mask";

/*
 * A tag that tells of something masked is kept as a digest alone, in the row and in the index that finds it: who may see masked
 * values finds the run by the value, nobody else can ask whether there is one.
 */

const PREFIX = "masked:";

export const maskedTag = (value: string): string => `${PREFIX}${sha256(value).slice(0, 32)}`;

export const isMaskedTag = (value: string): boolean => value.startsWith(PREFIX);

/** @param input as JSON */
export function withMaskedTags(
  tags: Record<string, string>,
  paths: readonly string[],
  input: () => unknown,
): Record<string, string> {
  const entries = Object.entries(tags);
  if (entries.length === 0) return tags;
  const mask = maskOf(paths);
  // Every start comes by here: the input is looked through only where its workflow masks something.
  const text = paths.length > 0 ? hiddenText(secretsIn(input(), mask)) : null;
  const tells = (name: string, value: string) =>
    coversTag(mask, name) || (text !== null && text.hideIn(value) !== value);
  return Object.fromEntries(entries.map(([name, value]) => [name, tells(name, value) ? maskedTag(value) : value]));
}

const coversTag = (mask: Mask, name: string) => mask.covers([name]);

/** What is looked for when somebody asks for a tag: its value, and for those who may see masked values the digest of it. */
export function tagValuesFor(asked: string, blind: boolean): string[] {
  if (!blind) return [asked, maskedTag(asked)];
  // A digest that somebody else has told of finds nothing.
  return [isMaskedTag(asked) ? PREFIX : asked];
}
