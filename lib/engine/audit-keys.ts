import { randomSecret } from "./digest";

/** What the audit's hashes are made with. */
export interface AuditKey {
  /** Stands in every row; says nothing of the secret. */
  id: string;
  secret: Buffer;
}

export interface AuditKeys {
  /** New rows are written with this one. */
  current: AuditKey;
  /** Rows are verified with any of these, `current` among them. */
  byId: ReadonlyMap<string, AuditKey>;
}

export const MIN_AUDIT_KEY_BYTES = 32;
/** Of 32 bytes of chance, 30 differ or so; zeros, or a word over and over, are no key. */
const LEAST_DIFFERENT = 16;

const ONE = /^([a-z0-9][a-z0-9._-]{0,31}):([A-Za-z0-9+/_-]+={0,2})$/;

/** `id:base64`, the current key first and earlier ones after it, separated by commas. Null for text that is none. */
export function parseAuditKeys(text: string): AuditKeys | null {
  const keys: AuditKey[] = [];
  for (const part of text.split(",")) {
    const [, id, encoded] = ONE.exec(part.trim()) ?? [];
    const secret = Buffer.from(encoded ?? "", "base64");
    if (id === undefined || secret.length < MIN_AUDIT_KEY_BYTES || new Set(secret).size < LEAST_DIFFERENT) return null;
    keys.push({ id, secret });
  }
  const [current] = keys;
  const byId = new Map(keys.map((key) => [key.id, key]));
  return current && byId.size === keys.length ? { current, byId } : null;
}

/** A fresh key in the form that `parseAuditKeys` reads. */
export const newAuditKey = () => `${randomSecret(4).toString("hex")}:${randomSecret(32).toString("base64")}`;

/** For a database that lives no longer than this process. */
export const newAuditKeys = () => parseAuditKeys(newAuditKey()) as AuditKeys;
