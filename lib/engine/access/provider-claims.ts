import type { GroupRoles } from "./group-roles";
import { ROLES, type Role } from "./permission";
import { nameProblem } from "./person-name";

/** Why a person returning from the provider is refused, as a closed set: the sign-in page has a sentence for each. */
const SIGN_IN_REFUSALS = [
  "begin_again",
  "cancelled",
  "provider",
  "unverified",
  "no_role",
  "taken",
  "kept_out",
  "link",
] as const;
export type SignInRefusal = (typeof SIGN_IN_REFUSALS)[number];

export const isSignInRefusal = (value: unknown): value is SignInRefusal =>
  (SIGN_IN_REFUSALS as readonly unknown[]).includes(value);

export const REFUSAL_SENTENCES: Record<SignInRefusal, string> = {
  begin_again: "This sign-in began in another browser, was already used, or took more than ten minutes. Start again.",
  cancelled: "The sign-in was cancelled at the provider.",
  provider:
    "The provider's answer could not be accepted. Start again; if this repeats, an admin finds the reason in the audit log.",
  unverified: "The provider has not verified your e-mail address.",
  no_role: "None of your groups has a role here. Ask an admin to invite you.",
  taken: "Another person has this name here, or you have another name here. Ask an admin to invite you.",
  kept_out: "An admin has blocked your access.",
  link: "The invitation was used, or has expired. Ask for a new one.",
};

/** The person that the provider vouches for. */
export interface Identity {
  issuer: string;
  /** Together with the issuer, the only stable identifier: addresses and names change hands. */
  subject: string;
  /** The person's initial name: the verified e-mail address. */
  email: string;
  groups: readonly string[];
}

const MAX_SUBJECT = 255;
const MAX_NAME = 100;

/**
 * The identity in a verified ID token.
 * @param claims its payload; signature, issuer, audience, nonce and times were checked before
 * @param groupsClaim the claim with the person's groups: a list of strings, or one string, which is one group
 */
export function identityOf(claims: Record<string, unknown>, groupsClaim: string): Identity | SignInRefusal {
  const { iss, sub, email, email_verified: verified } = claims;
  if (!isText(iss) || !isText(sub) || sub.length > MAX_SUBJECT) return "provider";
  // The string "true" does not count as verified: some providers let people write their own claims.
  if (!isText(email) || verified !== true) return "unverified";
  const name = email.normalize("NFKC").toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(name) || nameProblem(name) !== null || name.length > MAX_NAME) return "unverified";
  const claimed = Object.hasOwn(claims, groupsClaim) ? claims[groupsClaim] : [];
  return { issuer: iss, subject: sub, email: name, groups: [claimed].flat().filter(isText) };
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** The highest role of any group, compared exactly; null if none has one. */
export function roleOfGroups(groups: readonly string[], roles: GroupRoles): Role | null {
  const theirs = new Set(groups.map((group) => roles.get(group)));
  return ROLES.toReversed().find((role) => theirs.has(role)) ?? null;
}
