import { type NamedKeys, parseNamedKeys } from "../named-keys";

/** What payloads are sealed with (sealed.ts): what is new with the current one. */
export type PayloadKeys = NamedKeys;

/** Of AES-256. */
const KEY_BYTES = 32;

/** `id:base64 of 32 bytes`, the current key first and others after it, separated by commas. Null for text that is none. */
export const parsePayloadKeys = (text: string): PayloadKeys | null =>
  parseNamedKeys(text, (bytes) => bytes === KEY_BYTES);
