import { randomSecret } from "../digest";
import { type NamedKey, type NamedKeys, parseNamedKeys } from "../named-keys";

/** What the audit's hashes are made with: its id stands in every row. */
export type AuditKey = NamedKey;
export type AuditKeys = NamedKeys;

const MIN_AUDIT_KEY_BYTES = 32;

/** `id:base64`, the current key first and earlier ones after it, separated by commas. Null for text that is none. */
export const parseAuditKeys = (text: string): AuditKeys | null =>
  parseNamedKeys(text, (bytes) => bytes >= MIN_AUDIT_KEY_BYTES);

/** A fresh key in the form that `parseAuditKeys` reads. */
export const newAuditKey = () => `${randomSecret(4).toString("hex")}:${randomSecret(32).toString("base64")}`;

/** For a database that lives no longer than this process. */
export const newAuditKeys = () => parseAuditKeys(newAuditKey()) as AuditKeys;
