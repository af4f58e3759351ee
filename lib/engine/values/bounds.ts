/** The largest value that a row holds, encoded, in bytes of UTF-8: 1 MiB. */
export const MAX_VALUE_BYTES = 1_048_576;

/** The largest value that a process with a blob store takes, in bytes of UTF-8: 64 MiB. */
export const MAX_BLOB_BYTES = 67_108_864;
