import * as oidc from "openid-client";
import { type Identity, identityOf, REFUSAL_SENTENCES, type SignInRefusal } from "../engine/access/provider-claims";
import { HandrailError } from "../engine/errors";
import type { ProviderSettings } from "../env";

const TIMEOUT_S = 5;
/**
 * The provider's metadata is fetched again after this long, since its addresses may change. Its keys are fetched when
 * one is unknown.
 */
const KNOWN_FOR_MS = 3_600_000;

/** Identifies this one sign-in on the way to the provider and back. */
export interface Checks {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export const refusal = (reason: SignInRefusal, because = REFUSAL_SENTENCES[reason]): HandrailError =>
  new HandrailError("unauthenticated", because, { reason });

/** Where to send the browser. @throws HandrailError `unavailable` when the provider does not answer */
export async function authorizationUrl(
  settings: ProviderSettings,
  { state, nonce, codeVerifier }: Checks,
): Promise<URL> {
  return oidc.buildAuthorizationUrl(await discovered(settings), {
    redirect_uri: settings.redirectUri,
    scope: settings.scopes,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
  });
}

/**
 * Exchanges the code for the identity that the provider confirms.
 * @param query the query that the browser returned with
 * @throws HandrailError `unauthenticated` with `details.reason`; `unavailable`
 */
export async function identityFrom(settings: ProviderSettings, query: string, checks: Checks): Promise<Identity> {
  const config = await discovered(settings);
  // Not the request's own address: its host and path are controlled by the browser.
  const current = new URL(`${settings.redirectUri}?${query}`);
  const { state: expectedState, nonce: expectedNonce, codeVerifier: pkceCodeVerifier } = checks;
  const tokens = await oidc
    .authorizationCodeGrant(config, current, { expectedState, expectedNonce, pkceCodeVerifier })
    .catch((error: unknown) => {
      throw refusedBy(error);
    });
  const identity = identityOf({ ...tokens.claims() }, settings.groupsClaim);
  if (typeof identity === "string") throw refusal(identity);
  return identity;
}

/** For the audit: the library's name of the error, and no text that another party could have written. */
function refusedBy(error: unknown): HandrailError {
  if (error instanceof oidc.AuthorizationResponseError && error.error === "access_denied") return refusal("cancelled");
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const what = [code, name].find((word) => typeof word === "string" && /^\w{1,80}$/.test(word)) ?? "unknown";
  return refusal("provider", `${REFUSAL_SENTENCES.provider} (${what})`);
}

interface Known {
  issuer: string;
  config: Promise<oidc.Configuration>;
  until: number;
}

let known: Known | null = null;

async function discovered(settings: ProviderSettings): Promise<oidc.Configuration> {
  if (known === null || known.issuer !== settings.issuer || known.until < performance.now())
    known = { issuer: settings.issuer, config: discover(settings), until: performance.now() + KNOWN_FOR_MS };
  const asked = known;
  return asked.config.catch((error: unknown) => {
    if (known === asked) known = null;
    const host = new URL(settings.issuer).host;
    throw new HandrailError(
      "unavailable",
      `The sign-in provider ${host} does not answer as one.`,
      {},
      { cause: error },
    );
  });
}

function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<oidc.Configuration> {
  const url = new URL(issuer);
  // By default the library trusts an ID token because of the TLS connection; here its signature is verified as well.
  const execute = [oidc.enableNonRepudiationChecks];
  if (url.protocol === "http:") execute.push(oidc.allowInsecureRequests); // loopback alone: see lib/env.ts
  return oidc.discovery(url, clientId, clientSecret, clientAuth(clientSecret), { execute, timeout: TIMEOUT_S });
}

/**
 * The authentication method that the provider supports: a header (OpenID Connect's default), or the body when it
 * supports nothing else.
 */
function clientAuth(secret: string): oidc.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const takes = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    return (takes.includes("client_secret_basic") ? basic : post)(server, client, body, headers);
  };
}
