import { HandrailError } from "../engine/errors";

/** The start of the next page, encoded so that clients treat it as opaque. */
export function encodeCursor(key: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(key)).toString("base64url");
}

/** @throws HandrailError `invalid_request` for text that is not a cursor with parts that `fits` accepts */
export function decodeCursor<Key extends readonly unknown[]>(text: string, fits: (key: unknown[]) => boolean): Key {
  try {
    const key: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    if (Array.isArray(key) && fits(key)) return key as unknown as Key;
  } catch {
    // Falls through to the same refusal.
  }
  throw new HandrailError("invalid_request", "This cursor is not one of ours. Start again from the first page.");
}

const INSTANT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?[+-](0\d|1[0-5])(:[0-5]\d)?$/;

/**
 * An instant as Postgres writes it, so that Postgres can read it: a cursor from this server never has a 31st of
 * February.
 */
export function isInstant(text: unknown): text is string {
  const [, day, time] = typeof text === "string" ? (INSTANT.exec(text) ?? []) : [];
  if (day === undefined || day.startsWith("0000")) return false;
  const read = new Date(`${day}T${time}Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(day);
}
