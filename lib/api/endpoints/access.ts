import { z } from "zod";
import * as contract from "../contract/access";
import { endpoint } from "../endpoint";

const ofId = z.strictObject({ id: z.uuid() });
const SMALL_BYTES = 16_384;

export const signIn = endpoint({
  method: "POST",
  path: "/v1/session",
  action: "public",
  summary: "Sign in with name and password; the answer sets the session's cookie",
  body: contract.signInRequest,
  maxBodyBytes: SMALL_BYTES,
  answer: contract.signedInResponse,
  statuses: { 200: "Signed in" },
});

export const signInToDemo = endpoint({
  method: "POST",
  path: "/v1/demo/session",
  action: "public",
  summary: "In the demo alone: sign in as its viewer, operator or admin, without a password",
  body: contract.demoSignInRequest,
  maxBodyBytes: SMALL_BYTES,
  answer: contract.signedInResponse,
  statuses: { 200: "Signed in" },
});

export const getMe = endpoint({
  method: "GET",
  path: "/v1/session",
  action: "self",
  summary: "Who asks, and what they may",
  answer: contract.meResponse,
  statuses: { 200: "They" },
});

export const signOut = endpoint({
  method: "POST",
  path: "/v1/session/end",
  action: "self",
  summary: "End this session",
  body: z.strictObject({}),
  answer: contract.doneResponse,
  statuses: { 200: "It is over" },
});

export const setUp = endpoint({
  method: "POST",
  path: "/v1/set-up",
  action: "public",
  summary: "Use the link of an invitation, or of the first start: choose a password, and be signed in",
  body: contract.setUpRequest,
  maxBodyBytes: SMALL_BYTES,
  answer: contract.signedInResponse,
  statuses: { 200: "Signed in" },
});

export const listPeople = endpoint({
  method: "GET",
  path: "/v1/people",
  action: "access.manage",
  summary: "Who may sign in",
  answer: contract.personListResponse,
  statuses: { 200: "Everybody, by name" },
});

export const invitePerson = endpoint({
  method: "POST",
  path: "/v1/people/invitations",
  action: "access.manage",
  summary: "Invite a person, or have one choose a new password: makes a link to use once, within three days",
  body: contract.invitationRequest,
  answer: contract.invitationResponse,
  statuses: { 201: "The link's secret, told once" },
});

export const changePerson = endpoint({
  method: "PUT",
  path: "/v1/people/{id}",
  action: "access.manage",
  summary: "Change what a person may, from their next request on; or keep them out, and end their sessions",
  params: ofId,
  body: contract.personChangeRequest,
  answer: contract.personSchema,
  statuses: { 200: "The person" },
});

export const listTokens = endpoint({
  method: "GET",
  path: "/v1/tokens",
  action: "access.manage",
  summary: "The tokens of programs, without their secrets",
  answer: contract.tokenListResponse,
  statuses: { 200: "The tokens, newest first" },
});

export const mintToken = endpoint({
  method: "POST",
  path: "/v1/tokens",
  action: "access.manage",
  summary: "Make a token for a program",
  body: contract.tokenRequest,
  answer: contract.newTokenResponse,
  statuses: { 201: "The token; its secret is told once" },
});

export const revokeToken = endpoint({
  method: "POST",
  path: "/v1/tokens/{id}/revocation",
  action: "access.manage",
  summary: "Revoke a token, from the next request on",
  params: ofId,
  body: contract.revocationRequest,
  answer: contract.tokenSchema,
  statuses: { 200: "The token" },
});

export const listSessions = endpoint({
  method: "GET",
  path: "/v1/sessions",
  action: "self",
  summary: "One's own sessions that live; those of everybody for who manages access",
  answer: contract.sessionListResponse,
  statuses: { 200: "The sessions, newest first" },
});

export const revokeSession = endpoint({
  method: "POST",
  path: "/v1/sessions/{id}/revocation",
  action: "self",
  summary: "End a session of one's own, or anybody's for who manages access",
  params: ofId,
  body: contract.revocationRequest,
  answer: contract.doneResponse,
  statuses: { 200: "It is over" },
});
