/** A secret and the name that rows refer to it by; the name reveals nothing about the secret. */
export interface NamedKey {
  id: string;
  secret: Buffer;
}

export interface NamedKeys {
  /** Used to write. */
  current: NamedKey;
  /** Used to read, `current` included. */
  byId: ReadonlyMap<string, NamedKey>;
}

/** Of 32 random bytes, about 30 differ; zeros or a repeated word are not a key. */
const LEAST_DIFFERENT = 16;

const ONE = /^([a-z0-9][a-z0-9._-]{0,31}):([A-Za-z0-9+/_-]+={0,2})$/;

/**
 * `id:base64`, the current key first and others after it, separated by commas. Null if the text is invalid: also for a
 * duplicate id or a key that is not random.
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
