import { hash, verify } from "@node-rs/argon2";
import { HandrailError } from "../engine/errors";
import { weaknessOf } from "./weak-password";

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; some 30 ms. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Concurrent verifications, bounded so that guessing can neither fill the memory nor block the console. */
const MOST_AT_ONCE = 4;
let verifying = 0;

export const hashPassword = (password: string): Promise<string> => hash(password.normalize("NFKC"), COST);

/**
 * Hash of an unknown password: refusing an account that is missing or has no password takes as long as refusing one
 * that has.
 */
let decoyHash: Promise<string> | undefined;

/**
 * @param kept null: there is no such password; the check takes as long
 * @throws HandrailError `too_busy`
 */
export async function isPassword(kept: string | null, password: string): Promise<boolean> {
  if (verifying >= MOST_AT_ONCE)
    throw new HandrailError("too_busy", "Too many people are signing in. Try again in a moment.");
  verifying += 1;
  try {
    decoyHash ??= hash(crypto.randomUUID(), COST);
    const right = await verify(kept ?? (await decoyHash), password.normalize("NFKC"));
    return right && kept !== null;
  } finally {
    verifying -= 1;
  }
}

/** @throws HandrailError `invalid_input` */
export function refuseWeakPassword(name: string, password: string): void {
  const weak = weaknessOf(name, password);
  if (weak !== null)
    throw new HandrailError("invalid_input", weak, { issues: [{ path: ["password"], message: weak }] });
}
