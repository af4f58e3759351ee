import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** All in hexadecimal digits. */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

export const hmacSha256 = (secret: Uint8Array, text: string): string =>
  createHmac("sha256", secret).update(text).digest("hex");

/** Takes as long for any two texts of one length. */
export function isSameText(ours: string, theirs: string): boolean {
  const [a, b] = [Buffer.from(ours), Buffer.from(theirs)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export const randomSecret = (bytes: number): Buffer => randomBytes(bytes);
