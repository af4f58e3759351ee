import * as contract from "../contract/access";
import { endpoint } from "../endpoint";

const SMALL_BYTES = 4_096;

export const beginProviderSignIn = endpoint({
  method: "POST",
  path: "/v1/session/provider",
  action: "public",
  summary: "Begin to sign in through the OpenID Connect provider; gives the browser a cookie to come back with",
  body: contract.providerSignInRequest,
  maxBodyBytes: SMALL_BYTES,
  answer: contract.providerSignInResponse,
  statuses: { 200: "Where to send the browser" },
});

export const finishProviderSignIn = endpoint({
  method: "GET",
  path: "/v1/session/provider/callback",
  action: "public",
  summary: "Where the provider sends the browser back to: opens a session, or tells on the sign-in page why not",
  query: contract.providerAnswer,
  answer: contract.doneResponse,
  statuses: { 303: "To the page that was asked for, or to the sign-in page" },
});
