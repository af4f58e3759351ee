import { HandrailError, isHandrailError } from "../errors";

/*
 * A value over 1 MiB is kept in the app's blob store. In its place, the database has a reference: the JSON { "$type":
 * "blob", "key", "size", "sha256" }. The output of codec.ts never begins like that, so a text shows by itself what it is.
 */

/** The prefix of every reference. */
export const BLOB_PREFIX = '{"$type":"blob"';

export interface BlobRef {
  key: string;
  /** Of the value's JSON, in bytes of UTF-8. */
  size: number;
  /** Of the bytes in the store, which are sealed where payloads are. */
  sha256: string;
  /** Of sealed bytes: what shows whether another value is the same (`proofOf`). Only those with the key can compute it. */
  proof?: string;
}

export const isBlob = (text: string): boolean => text.startsWith(BLOB_PREFIX);

export const blobText = (ref: BlobRef): string => JSON.stringify({ $type: "blob", ...ref });

export function blobRef(text: string): BlobRef {
  const { $type: _, ...ref } = JSON.parse(text) as BlobRef & { $type: string };
  return ref;
}

/** A value cannot be put into the blob store or read from it now. */
export const blobUnavailable = (message: string, details: Record<string, unknown> = {}, cause?: unknown) =>
  new HandrailError("blob_unavailable", message, details, { cause });

export const isBlobUnavailable = (error: unknown): error is HandrailError =>
  isHandrailError(error) && error.code === "blob_unavailable";
