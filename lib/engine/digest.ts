import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";

/** As hexadecimal digits. */
export const sha256 = (text: string | Uint8Array): string => hash("sha256", text);

export const hmacSha256 = (secret: Uint8Array, text: string): string =>
  createHmac("sha256", secret).update(text).digest("hex");

export const hmacSha256Base64 = (secret: Uint8Array, text: string): string =>
  createHmac("sha256", secret).update(text).digest("base64");

/** Constant time for two texts of the same length. */
export function isSameText(ours: string, theirs: string): boolean {
  const [a, b] = [Buffer.from(ours), Buffer.from(theirs)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export const randomSecret = (bytes: number): Buffer => randomBytes(bytes);

/**
 * One block of AES-256: a permutation of 32 hexadecimal digits that nobody without the key can compute.
 * @param key 32 bytes
 */
export const permuteBlock = (key: Uint8Array, digits: string): string =>
  createCipheriv("aes-256-ecb", key, null).setAutoPadding(false).update(digits, "hex", "hex");

export const unpermuteBlock = (key: Uint8Array, digits: string): string =>
  createDecipheriv("aes-256-ecb", key, null).setAutoPadding(false).update(digits, "hex", "hex");

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM under a random nonce: base64 of nonce, ciphertext and tag. Use one key for 2^32 texts at most.
 * @param key 32 bytes
 * @param boundTo additional data that decryption needs, byte for byte
 */
export const encrypt = (key: Uint8Array, text: string, boundTo: string): string =>
  encryptToBytes(key, text, boundTo).toString("base64");

export function encryptToBytes(key: Uint8Array, text: string, boundTo: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(boundTo));
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined: the text was encrypted with another key, for another `boundTo`, or was changed. */
export const decrypt = (key: Uint8Array, encrypted: string, boundTo: string): string | undefined =>
  decryptBytes(key, Buffer.from(encrypted, "base64"), boundTo);

export function decryptBytes(key: Uint8Array, bytes: Buffer, boundTo: string): string | undefined {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    // Only as a whole: the output of `update` is not authenticated before `final`.
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
