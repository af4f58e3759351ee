import { HandrailError } from "../errors";

/** Where an app keeps the bytes of large values. Every call may be repeated, and may come from any of its processes. */
export interface BlobStore {
  /** Keeps these bytes under the key. Called again with the same key, the bytes are the same. */
  put(key: string, bytes: Uint8Array, signal: AbortSignal): Promise<unknown>;
  /** The bytes; undefined or null if there are none under the key. */
  get(key: string, signal: AbortSignal): Promise<Uint8Array | null | undefined>;
  /** Up to 100 keys; what is not there is no error. */
  delete(keys: readonly string[], signal: AbortSignal): Promise<unknown>;
}

/** @throws HandrailError `invalid_workflow` with what a store must have */
export function checkBlobStore(given: unknown): void {
  const missing = (["put", "get", "delete"] as const).filter(
    (name) => typeof (given as Record<string, unknown> | null)?.[name] !== "function",
  );
  if (missing.length > 0)
    throw new HandrailError(
      "invalid_workflow",
      `\`blobs\` must have the functions put(key, bytes, signal), get(key, signal) and delete(keys, signal): ${missing.join(", ")} is missing.`,
    );
}
