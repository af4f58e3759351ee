import { HandrailError } from "../errors";
import type { Parts } from "../parts";
import { withoutMasked } from "../privacy/without-masked";

/** Characters of a title; a longer one is cut. */
export const MAX_TITLE = 120;

/** A workflow whose runs have titles. */
interface Titled {
  readonly name: string;
  readonly masked: readonly string[];
  readonly runTitle: ((input: unknown) => string | undefined) | undefined;
}

/**
 * The title of a run by its workflow, on one line and without masked values: those are not stored in it. Null without one.
 * @param value the input as parsed by the workflow's schema
 * @param encoded the same as JSON text
 * @throws HandrailError `invalid_request` for a title that is no text
 */
export function* runTitleOf({ name, masked, runTitle }: Titled, value: unknown, encoded: string): Parts<string | null> {
  const given: unknown = runTitle?.(value) ?? "";
  if (typeof given !== "string" || !given.isWellFormed())
    throw new HandrailError("invalid_request", `runTitle of workflow "${name}" returns a text, or nothing.`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they have no place in a title.
  const title = given.replaceAll(/[\s\u0000-\u001f\u007f]+/g, " ").trim();
  if (title === "") return null;
  // Before it is cut: a masked value whose end was cut off would be recognised only by its beginning.
  const shown = yield* withoutMasked(title, masked, encoded);
  return shown.length <= MAX_TITLE
    ? shown
    : `${[...shown]
        .slice(0, MAX_TITLE - 1)
        .join("")
        .trimEnd()}…`;
}
