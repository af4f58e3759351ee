import type { Identity } from "../engine/access/provider-claims";
import { hmacSha256, isSameText } from "../engine/digest";
import type { ProviderSettings } from "../env";
import { beginFlow, takeFlow } from "../store/access/sign-in-flows";
import type { Db } from "../store/db";
import { authorizationUrl, type Checks, identityFrom, refusal } from "./provider";
import { hashOf, newSecret } from "./secret";

/**
 * A sign-in through the provider is bound to the browser by one secret in its cookie. State, nonce and the PKCE
 * verifier are derived from it; the database keeps its hash. Neither the database nor the redirect address is enough to
 * finish the sign-in.
 */
const checksOf = (secret: string): Checks => {
  const from = (what: string) => hmacSha256(Buffer.from(secret), what);
  return { state: from("state"), nonce: from("nonce"), codeVerifier: from("code verifier") };
};

/** @param next a path of ours @param invitation the secret of a link that is to be used with it */
export async function beginAtProvider(
  db: Db,
  settings: ProviderSettings,
  { next, invitation }: { next: string; invitation: string | null },
): Promise<{ url: string; secret: string }> {
  const secret = newSecret();
  const url = await authorizationUrl(settings, checksOf(secret));
  const invitationHash = invitation === null ? null : hashOf(invitation);
  await beginFlow(db, { id: hashOf(secret), issuer: settings.issuer, next, invitationHash });
  return { url: url.href, secret };
}

export interface CameBack {
  identity: Identity;
  next: string;
  invitationHash: Buffer | null;
}

/**
 * @param secret of the browser's cookie
 * @throws HandrailError `unauthenticated` with `details.reason`
 */
export async function comeBack(
  db: Db,
  settings: ProviderSettings,
  { secret, query }: { secret: string; query: URLSearchParams },
): Promise<CameBack> {
  const checks = checksOf(secret);
  // Checked before the sign-in is used up: another site may send the browser here with any parameters.
  if (!isSameText(checks.state, query.get("state") ?? "")) throw refusal("begin_again");
  const flow = await takeFlow(db, hashOf(secret), settings.issuer);
  if (!flow) throw refusal("begin_again");
  return { ...flow, identity: await identityFrom(settings, query.toString(), checks) };
}
