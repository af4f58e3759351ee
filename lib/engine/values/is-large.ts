import { MAX_VALUE_BYTES } from "./bounds";

/** Whether the text of a value is too large for a row. */
export const isLarge = (text: string): boolean =>
  text.length > MAX_VALUE_BYTES || (text.length * 3 > MAX_VALUE_BYTES && Buffer.byteLength(text) > MAX_VALUE_BYTES);
