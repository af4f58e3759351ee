import { randomSecret } from "../digest";
import { type NamedKey, type NamedKeys, parseNamedKeys } from "../named-keys";

/** The key for the audit's hashes. Every row has its id. */
export type AuditKey = NamedKey;
export type AuditKeys = NamedKeys;

const MIN_AUDIT_KEY_BYTES = 32;

/** `id:base64`, the current key first and earlier ones after it, separated by commas. Null if the text is invalid. */
export const parseAuditKeys = (text: string): AuditKeys | null =>
  parseNamedKeys(text, (bytes) => bytes >= MIN_AUDIT_KEY_BYTES);

/** A new key in the format that `parseAuditKeys` reads. */
export const newAuditKey = () => `${randomSecret(4).toString("hex")}:${randomSecret(32).toString("base64")}`;

/** For a database that does not outlive this process. */
export const newAuditKeys = () => parseAuditKeys(newAuditKey()) as AuditKeys;
