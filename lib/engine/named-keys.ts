/** A secret and the name by which rows tell which one they need; the name says nothing of the secret. */
export interface NamedKey {
  id: string;
  secret: Buffer;
}

export interface NamedKeys {
  /** What is new is written with this one. */
  current: NamedKey;
  /** What is there is read with any of these, `current` among them. */
  byId: ReadonlyMap<string, NamedKey>;
}

/** Of 32 bytes of chance, 30 differ or so; zeros, or a word over and over, are no key. */
const LEAST_DIFFERENT = 16;

const ONE = /^([a-z0-9][a-z0-9._-]{0,31}):([A-Za-z0-9+/_-]+={0,2})$/;

/**
 * `id:base64`, the current key first and others after it, separated by commas. Null for text that is none: also where two have
 * one id, or one is no chance.
 */
export function parseNamedKeys(text: string, isLongEnough: (bytes: number) => boolean): NamedKeys | null {
  const keys: NamedKey[] = [];
  for (const part of text.split(",")) {
    const [, id, encoded] = ONE.exec(part.trim()) ?? [];
    const secret = Buffer.from(encoded ?? "", "base64");
    if (id === undefined || !isLongEnough(secret.length) || new Set(secret).size < LEAST_DIFFERENT) return null;
    keys.push({ id, secret });
  }
  const [current] = keys;
  const byId = new Map(keys.map((key) => [key.id, key]));
  return current && byId.size === keys.length ? { current, byId } : null;
}
