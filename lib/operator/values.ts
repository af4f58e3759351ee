import type { Parts } from "../engine/parts";
import { blobRef, isBlob } from "../engine/values/blob";
import { parseOwnInParts } from "../engine/values/parse-in-parts";
import type { SerializedError } from "../engine/values/serialized-error";
import type { Json, RowInstant } from "../store/rows";

/** A stored value as programs read it: JSON, with tagged objects for what JSON lacks. */
export const asJson = (text: string): Json => (isBlob(text) ? placeholder(text) : JSON.parse(text));
/** The same, in parts. */
export const asJsonInParts = (text: string) =>
  parseOwnInParts(isBlob(text) ? JSON.stringify(placeholder(text)) : text) as Parts<Json>;

/** For a value in the blob store: it is loaded by itself (`runs/read-value.ts`). */
const placeholder = (text: string) => ({ $type: "blob", size: blobRef(text).size });
export const asJsonOrNull = (text: string | null): Json => (text === null ? null : asJson(text));

export const asError = (text: string | null): SerializedError | null => (text === null ? null : JSON.parse(text));

/** An error in lists: only the run's own page shows stacks. */
export function asBriefError(text: string | null): SerializedError | null {
  const error = asError(text);
  if (!error) return null;
  const { name, message, code } = error;
  return code === undefined ? { name, message } : { name, message, code };
}

export const messageOf = (error: string | null): string | null => asError(error)?.message ?? null;

export const asInstant = (instant: RowInstant): string => new Date(instant).toISOString();
export const asInstantOrNull = (instant: RowInstant | null): string | null =>
  instant === null ? null : asInstant(instant);

export const asIdOrNull = (id: number | null): string | null => (id === null ? null : String(id));
