import { HandrailError } from "../errors";
import { isPlainText } from "../values/plain-text";

/** What a start hands to the code of its run and on to what that code starts, such as a tenant or the id of a request. */
export type Headers = Readonly<Record<string, string>>;

const MOST = 16;
// Without dots, which separate the keys of masked paths: `headers.tenant`.
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused.
const VALUE = /^[^\u0000-\u001f\u007f]{1,256}$/;

/**
 * Null for none, so that a run without headers costs nothing.
 * @throws HandrailError `invalid_request`
 */
export function checkedHeaders(given: Headers | undefined): Headers | null {
  const entries = Object.entries(given ?? {});
  if (entries.length > MOST)
    throw new HandrailError("invalid_request", `A run takes ${MOST} headers at most; it got ${entries.length}.`);
  for (const [name, value] of entries)
    if (!NAME.test(name) || typeof value !== "string" || !VALUE.test(value) || !isPlainText(value))
      throw new HandrailError(
        "invalid_request",
        `The header ${JSON.stringify(name).slice(0, 80)} needs a name of 1 to 64 lower-case letters, digits, "_" and "-", and a text of 1 to 256 characters without control characters.`,
      );
  return entries.length === 0 ? null : { ...given };
}

/**
 * Headers of what a run starts: its own, with those that its code added or replaced.
 * @throws HandrailError `invalid_request`
 */
export const handedOn = (own: Headers | null, added: Headers | undefined): Headers | null =>
  added === undefined ? own : checkedHeaders({ ...own, ...added });
