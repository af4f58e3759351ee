import { type NamedKeys, parseNamedKeys } from "../named-keys";

/** The keys that payloads are sealed with (sealed.ts): new payloads with the current key. */
export type PayloadKeys = NamedKeys;

/** For AES-256. */
const KEY_BYTES = 32;

/** `id:base64 of 32 bytes`, the current key first, then others, separated by commas. Null if the text is invalid. */
export const parsePayloadKeys = (text: string): PayloadKeys | null =>
  parseNamedKeys(text, (bytes) => bytes === KEY_BYTES);
