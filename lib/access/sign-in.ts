import { v7 as uuidv7 } from "uuid";
import type { Caller } from "../engine/audit/audit";
import { HandrailError } from "../engine/errors";
import { findPerson, holdPassword } from "../store/access/people";
import { openSession } from "../store/access/sessions";
import { type AttemptLimit, forgetAttempts, giveBackAttempt, takeAttempt } from "../store/access/sign-in-attempts";
import type { Db } from "../store/db";
import { networkOf } from "./network";
import { isPassword } from "./password";
import { hashOf, newSecret } from "./secret";

/** Attempts on one account from one network: slows an attacker without locking the owner out elsewhere. */
const OF_ACCOUNT: AttemptLimit = { free: 5, longestMs: 30_000 };
/** Many people may come from one address. */
const OF_ADDRESS: AttemptLimit = { free: 30, longestMs: 300_000 };

type From = Pick<Caller, "address" | "userAgent">;

export interface SignedIn {
  sessionId: string;
  /** For the cookie; kept nowhere. */
  secret: string;
}

const wrong = () => new HandrailError("unauthenticated", "Wrong name or password.");

/** Whose password was right, and the hash that it was right for. */
interface Checked {
  id: string;
  passwordHash: string;
}

/**
 * Whose name and password these are. Outside any transaction: it is slow, and must not hold locks.
 * @throws HandrailError `unauthenticated` with one sentence for every reason, `too_many_attempts` with `details.waitMs`
 */
export async function checkPassword(
  db: Db,
  given: { name: string; password: string },
  address: string | null,
): Promise<Checked> {
  const name = nameOf(given.name);
  const network = networkOf(address);
  const account = `account:${hashOf(`${name}\n${network}`).toString("hex")}`;
  await refuseTooManyFrom(db, address);
  await refuseTooMany(db, account, OF_ACCOUNT);
  const person = await findPerson(db, name);
  const passwordHash = person?.password_hash ?? null;
  if (!(await isPassword(passwordHash, given.password)) || !person || passwordHash === null) throw wrong();
  await forgetAttempts(db, account);
  await forgiveTry(db, address);
  return { id: person.id, passwordHash };
}

/**
 * The first statement of the transaction that opens the session: the password may have been replaced since it was checked.
 * @throws HandrailError `unauthenticated`
 */
export async function checkStill(tx: Db, { id, passwordHash }: Checked): Promise<void> {
  if (!(await holdPassword(tx, id, passwordHash))) throw wrong();
}

/** Names differ by more than the case of their letters. */
export const nameOf = (given: string) => given.trim().normalize("NFKC").toLowerCase();

/** Counts attempts of one network, of any kind. @throws HandrailError `too_many_attempts` */
export const refuseTooManyFrom = (db: Db, address: string | null): Promise<void> =>
  refuseTooMany(db, keyOfNetwork(address), OF_ADDRESS);

/** Successful: the attempt is not counted. */
export const forgiveTry = (db: Db, address: string | null): Promise<void> => giveBackAttempt(db, keyOfNetwork(address));

const keyOfNetwork = (address: string | null) => `address:${networkOf(address)}`;

async function refuseTooMany(db: Db, key: string, limit: AttemptLimit): Promise<void> {
  const waitMs = await takeAttempt(db, key, limit);
  if (waitMs === null) return;
  const seconds = Math.ceil(waitMs / 1_000);
  throw new HandrailError("too_many_attempts", `Too many tries. Wait for ${seconds} s, then try again.`, { waitMs });
}

export async function beginSession(tx: Db, personId: string, { address, userAgent }: From): Promise<SignedIn> {
  const secret = newSecret();
  const sessionId = uuidv7();
  await openSession(tx, { id: sessionId, tokenHash: hashOf(secret), personId, address, userAgent });
  return { sessionId, secret };
}
