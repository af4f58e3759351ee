import { readCookie, writeCookie } from "../../access/cookie";
import { beginAtProvider, comeBack } from "../../access/flow";
import { forgiveTry, refuseTooManyFrom } from "../../access/sign-in";
import { callerIfAny } from "../../access/who-asks";
import { ownPath } from "../../engine/access/own-path";
import type { SignInRefusal } from "../../engine/access/provider-claims";
import { isSignInRefusal } from "../../engine/access/provider-claims";
import { HandrailError, isHandrailError } from "../../engine/errors";
import type { Env, ProviderSettings } from "../../env";
import { keepProviderRefusal, signInFromProvider } from "../../operator/access/provider-sign-in";
import { serverLog } from "../../server";
import * as contract from "../contract/access";
import type { EndpointCall } from "../endpoint";
import { endpoint } from "../endpoint";

const SMALL_BYTES = 4_096;

export const beginProviderSignIn = endpoint(
  {
    method: "POST",
    path: "/v1/session/provider",
    action: "public",
    summary: "Begin to sign in through the OpenID Connect provider; gives the browser a cookie to come back with",
    body: contract.providerSignInRequest,
    maxBodyBytes: SMALL_BYTES,
    answer: contract.providerSignInResponse,
    refusals: [401, 429],
    statuses: { 200: "Where to send the browser" },
  },
  async ({ body, desk, server: { db, env } }) => {
    const provider = providerOf(env);
    await refuseTooManyFrom(db, desk.by.address);
    const next = ownPath(body.next, env.origin ?? "");
    const { url, secret } = await beginAtProvider(db, provider, { next, invitation: body.invitation ?? null });
    return Response.json({ url }, { headers: { "set-cookie": writeCookie(secret, env, "flow") } });
  },
);

/** The caller is a person's browser, redirected from another site: every answer is a page. */
export const finishProviderSignIn = endpoint(
  {
    method: "GET",
    path: "/v1/session/provider/callback",
    action: "public",
    summary: "Where the provider sends the browser back to: opens a session, or shows on the sign-in page why not",
    query: contract.providerAnswer,
    answer: contract.doneResponse,
    refusals: [401, 404, 429],
    statuses: { 303: "To the requested page, or to the sign-in page" },
  },
  async (call) => {
    const { env, db } = call.server;
    const provider = providerOf(env);
    try {
      const { secret, next } = await arrive(call, provider);
      await forgiveTry(db, call.desk.by.address);
      return sentTo(next, [writeCookie(null, env, "flow"), writeCookie(secret, env)]);
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === "provider") serverLog().warn({ err: error }, "A sign-in through the provider was refused");
      // The sign-in may still be valid when only the browser was led here with another one's.
      const over = reason === "begin_again" ? [] : [writeCookie(null, env, "flow")];
      return sentTo(`/sign-in?refused=${reason}`, over);
    }
  },
);

async function arrive(
  { request, desk, server: { db, env } }: EndpointCall<unknown, unknown, unknown>,
  provider: ProviderSettings,
) {
  const flowSecret = readCookie(request.headers, env, "flow");
  if (flowSecret === null)
    throw new HandrailError("unauthenticated", "This browser has no sign-in under way. Begin again.", {
      reason: "begin_again",
    });
  const query = new URL(request.url).searchParams;
  const cameBack = await comeBack(db, provider, { secret: flowSecret, query }).catch(async (error: unknown) => {
    await keepProviderRefusal(desk, provider.issuer, error);
    throw error;
  });
  const before = await callerIfAny(db, request.headers, env);
  const replaces = before?.personId ? before.credentialId : null;
  const { secret } = await signInFromProvider(desk, { ...cameBack, roles: provider.roles, replaces });
  return { secret, next: cameBack.next };
}

function providerOf({ provider }: Env): ProviderSettings {
  if (!provider) throw new HandrailError("not_found", "There is no sign-in through a provider here.");
  return provider;
}

function reasonOf(error: unknown): SignInRefusal {
  const reason = isHandrailError(error) ? error.details.reason : undefined;
  return isSignInRefusal(reason) ? reason : "provider";
}

/** An address within this site, unchanged: the browser supplies the host. */
function sentTo(path: string, cookies: string[]): Response {
  const headers = new Headers({ location: path });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}
