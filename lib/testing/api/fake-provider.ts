import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

export type Claims = Record<string, unknown>;
type PrivateKey = CryptoKey;

/** How the provider misbehaves at every sign-in until this is changed. */
export interface Tricks {
  /** Other claims in the ID token; undefined ones are left out. */
  claims?: (honest: Claims) => Claims;
  /** Another ID token; null: none. */
  idToken?: (claims: Claims, honest: SigningKey) => Promise<string | null>;
  /** Another answer to the exchange of the code. */
  tokens?: (honest: Claims) => { status?: number; text: string };
}

export interface SigningKey {
  kid: string;
  privateKey: PrivateKey;
  publicJwk: JWK;
}

/**
 * An OpenID Connect provider on a real socket, correct until it is given tricks. Every visitor is signed in as
 * `account`.
 */
export interface FakeProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The account's claims: `sub`, `email`, `email_verified`, `groups`. */
  account: Claims;
  tricks: Tricks;
  /** Follows the address as a browser does; returns the redirect back. */
  visit(url: string): Promise<URL>;
  /** The refused exchanges of codes, in words. */
  refused: string[];
  close(): Promise<void>;
}

const CLIENT_ID = "handrail";
const CLIENT_SECRET = "a-secret-of-the-provider-0123456789";
const ALG = "RS256";

export async function aSigningKey(kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(ALG, { extractable: true });
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: ALG, use: "sig" } };
}

export const signedBy = ({ privateKey, kid }: SigningKey, claims: Claims, header: object = {}): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: ALG, kid, ...header }).sign(privateKey);

interface Grant {
  challenge: string;
  claims: Claims;
}

/** @param redirectUri the only redirect address it accepts, compared exactly */
export async function startFakeProvider(redirectUri: string): Promise<FakeProvider> {
  const key = await aSigningKey("key-1");
  const grants = new Map<string, Grant>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  const client = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
  const provider: FakeProvider = { issuer, ...client, account: {}, tricks: {}, refused: [], visit, close };
  const inside: Inside = { provider, redirectUri, key, grants };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url as string, issuer);
    if (url.pathname === "/.well-known/openid-configuration") return sendJson(response, metadataOf(issuer));
    if (url.pathname === "/jwks") return sendJson(response, { keys: [key.publicJwk] });
    if (url.pathname === "/authorize") return authorize(inside, url.searchParams, response);
    if (url.pathname === "/token") return trade(inside, request, response);
    response.writeHead(404).end();
  }
  return provider;
}

async function visit(url: string): Promise<URL> {
  const response = await fetch(url, { redirect: "manual" });
  if (response.status !== 302) throw new Error(`The provider did not send back: ${await response.text()}`);
  return new URL(response.headers.get("location") as string);
}

interface Inside {
  provider: FakeProvider;
  redirectUri: string;
  key: SigningKey;
  grants: Map<string, Grant>;
}

function authorize({ provider, redirectUri, grants }: Inside, query: URLSearchParams, response: ServerResponse): void {
  const wrong =
    query.get("client_id") !== CLIENT_ID ||
    query.get("redirect_uri") !== redirectUri ||
    query.get("response_type") !== "code" ||
    query.get("code_challenge_method") !== "S256" ||
    !query.get("scope")?.split(" ").includes("openid");
  if (wrong) return void response.writeHead(400).end(`unexpected: ${query}`);
  const code = crypto.randomUUID();
  const claims = { ...provider.account, nonce: query.get("nonce") };
  grants.set(code, { challenge: query.get("code_challenge") ?? "", claims });
  const back = new URL(redirectUri);
  back.search = new URLSearchParams({ code, state: query.get("state") ?? "", iss: provider.issuer }).toString();
  response.writeHead(302, { location: back.href }).end();
}

async function trade(
  { provider, redirectUri, key, grants }: Inside,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const form = new URLSearchParams(await textOf(request));
  const code = form.get("code") ?? "";
  const grant = grants.get(code);
  grants.delete(code);
  const refuse = (why: string) => {
    provider.refused.push(why);
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ error: "invalid_grant" }));
  };
  if (!isClient(request)) return refuse("client");
  if (!grant) return refuse("code");
  const challenge = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url");
  if (challenge !== grant.challenge) return refuse("verifier");
  if (form.get("redirect_uri") !== redirectUri) return refuse("redirect_uri");
  const now = Math.floor(Date.now() / 1_000);
  const honest = { iss: provider.issuer, aud: CLIENT_ID, iat: now, exp: now + 300, ...grant.claims };
  const { claims = (same) => same, idToken = (payload, by) => signedBy(by, payload), tokens } = provider.tricks;
  const id_token = await idToken(JSON.parse(JSON.stringify(claims(honest))), key);
  const body = { access_token: crypto.randomUUID(), token_type: "Bearer", ...(id_token !== null && { id_token }) };
  const { status = 200, text } = tokens?.(body) ?? { text: JSON.stringify(body) };
  response.writeHead(status, { "content-type": "application/json" }).end(text);
}

/** Both halves are percent-encoded before they are joined: RFC 6749, 2.3.1. */
function isClient({ headers }: IncomingMessage): boolean {
  const basic = Buffer.from(headers.authorization?.slice("Basic ".length) ?? "", "base64").toString();
  return decodeURIComponent(basic) === `${CLIENT_ID}:${CLIENT_SECRET}`;
}

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ["code"],
  subject_types_supported: ["public"],
  // As some providers do: what it advertises differs from what it accepts.
  id_token_signing_alg_values_supported: [ALG, "HS256", "none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
});

const sendJson = (response: ServerResponse, body: unknown) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
