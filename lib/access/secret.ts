import { createHash, randomBytes } from "node:crypto";

const BYTES = 32;

/** What nobody guesses, shown once. A prefix says what it is to whoever finds it, and to scanners for leaked secrets. */
export const newSecret = (prefix = ""): string => prefix + randomBytes(BYTES).toString("base64url");

/** All that is kept of it. Without a salt: there is nothing to guess in 256 bits of chance. */
export const hashOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();
