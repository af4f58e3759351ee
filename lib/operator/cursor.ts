import { HandrailError } from "../engine/errors";

/** Where the next page begins, in a form that nobody is tempted to take apart. */
export function encodeCursor(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString("base64url");
}

/** @throws HandrailError `invalid_request` for text that is no cursor whose parts `fits` accepts */
export function decodeCursor<Key extends readonly unknown[]>(text: string, fits: (key: unknown[]) => boolean): Key {
  try {
    const key: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    if (Array.isArray(key) && fits(key)) return key as unknown as Key;
  } catch {
    // Falls through to the same refusal.
  }
  throw new HandrailError("invalid_request", "This cursor is not one of ours. Start again from the first page.");
}
