import { createHash, randomBytes } from "node:crypto";

const BYTES = 32;

/** An unguessable secret, shown once. The prefix identifies it to people and to scanners for leaked secrets. */
export const newSecret = (prefix = ""): string => prefix + randomBytes(BYTES).toString("base64url");

/** The only part that is kept. No salt: 256 random bits cannot be guessed. */
export const hashOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();
