import { z } from "zod";
import { writeCookie } from "../../access/cookie";
import { callerIfAny } from "../../access/who-asks";
import type { Role, Scope } from "../../engine/access/permission";
import { may, mayGrant } from "../../engine/access/permission";
import { HandrailError } from "../../engine/errors";
import type { Env } from "../../env";
import * as managing from "../../operator/access/access";
import * as entering from "../../operator/access/sign-in";
import { known } from "../access/permission";
import * as contract from "../contract/access";
import { givenId } from "../contract/values";
import type { EndpointCall } from "../endpoint";
import { endpoint } from "../endpoint";

const ofId = z.strictObject({ id: givenId });
const SMALL_BYTES = 16_384;

export const signIn = endpoint(
  {
    method: "POST",
    path: "/v1/session",
    action: "public",
    summary: "Sign in with name and password; the answer sets the session's cookie",
    body: contract.signInRequest,
    maxBodyBytes: SMALL_BYTES,
    answer: contract.signedInResponse,
    refusals: [401, 429],
    statuses: { 200: "Signed in" },
  },
  async ({ desk, body, server, request }) => {
    const { env, db } = server;
    demandSignInThere(env);
    const before = await callerIfAny(db, request.headers, env);
    const { secret } = await entering.signIn(desk, body, before?.personId ? before.credentialId : null);
    return withCookie({ name: body.name }, secret, env);
  },
);

export const signInToDemo = endpoint(
  {
    method: "POST",
    path: "/v1/demo/session",
    action: "public",
    summary: "Demo only: sign in as its viewer, operator or admin, without a password",
    body: contract.demoSignInRequest,
    maxBodyBytes: SMALL_BYTES,
    answer: contract.signedInResponse,
    refusals: [401, 429],
    statuses: { 200: "Signed in" },
  },
  async ({ desk, body, server, request }) => {
    const { env, db } = server;
    if (!env.demo || !env.signIn)
      throw new HandrailError(
        "not_found",
        "There is nothing here. Sign-in without a password exists in the demo only.",
      );
    const before = await callerIfAny(db, request.headers, env);
    const { secret } = await entering.signInToDemo(desk, body.role, before?.personId ? before.credentialId : null);
    return withCookie({ name: body.role }, secret, env);
  },
);

export const getMe = endpoint(
  {
    method: "GET",
    path: "/v1/session",
    action: "self",
    summary: "The caller, and what they may do",
    answer: contract.meResponse,
    statuses: { 200: "The caller" },
  },
  async ({ asker, server }) => {
    const { name, kind, role, actions, workflows, personId, credentialId } = known(asker);
    const may = { actions: [...actions], workflows: workflows && [...workflows] };
    const sessionId = personId === null ? null : credentialId;
    return { status: 200, body: { name, kind, role, ...may, sessionId, signIn: server.env.signIn } };
  },
);

export const signOut = endpoint(
  {
    method: "POST",
    path: "/v1/session/end",
    action: "self",
    summary: "End this session",
    body: z.strictObject({}),
    answer: contract.doneResponse,
    statuses: { 200: "The session has ended" },
  },
  async ({ asker, desk, server }) => {
    const { personId, credentialId } = known(asker);
    if (personId !== null && credentialId !== null)
      await managing.revokeSession(desk, { id: credentialId, ownerId: personId, reason: "Signed out." });
    return withCookie({ done: true }, null, server.env);
  },
);

export const setUp = endpoint(
  {
    method: "POST",
    path: "/v1/set-up",
    action: "public",
    summary: "Use the link of an invitation, or of the first start: choose a password, and be signed in",
    body: contract.setUpRequest,
    maxBodyBytes: SMALL_BYTES,
    answer: contract.signedInResponse,
    refusals: [401, 429],
    statuses: { 200: "Signed in" },
  },
  async ({ desk, body, server }) => {
    demandSignInThere(server.env);
    const { name, secret } = await entering.setUp(desk, body);
    return withCookie({ name }, secret, server.env);
  },
);

export const listPeople = endpoint(
  {
    method: "GET",
    path: "/v1/people",
    action: "access.manage",
    summary: "The people who may sign in",
    answer: contract.personListResponse,
    statuses: { 200: "The people, by name" },
  },
  async ({ server }) => ({
    status: 200,
    body: await managing.readPeople(server.db, server.env.demo),
  }),
);

export const invitePerson = endpoint(
  {
    method: "POST",
    path: "/v1/people/invitations",
    action: "access.manage",
    summary: "Invite a person, or let one choose a new password: makes a link that works once, within three days",
    body: contract.invitationRequest,
    answer: contract.invitationResponse,
    statuses: { 201: "The link's secret, shown once" },
  },
  async ({ asker, desk, body }) => {
    demandGrant(asker, grantsOf(body));
    return { status: 201, body: await managing.invitePerson(desk, body) };
  },
);

export const changePerson = endpoint(
  {
    method: "PUT",
    path: "/v1/people/{id}",
    action: "access.manage",
    summary: "Change what a person may do, from their next request on; or disable them, and end their sessions",
    params: ofId,
    body: contract.personChangeRequest,
    answer: contract.personSchema,
    statuses: { 200: "The person" },
  },
  async ({ asker, desk, params, body }) => {
    demandGrant(asker, grantsOf(body));
    return { status: 200, body: await managing.changePerson(desk, { ...params, ...body }) };
  },
);

export const listTokens = endpoint(
  {
    method: "GET",
    path: "/v1/tokens",
    action: "access.manage",
    summary: "The tokens of programs, without their secrets",
    answer: contract.tokenListResponse,
    statuses: { 200: "The tokens, newest first" },
  },
  async ({ server }) => ({
    status: 200,
    body: await managing.readTokens(server.db),
  }),
);

export const mintToken = endpoint(
  {
    method: "POST",
    path: "/v1/tokens",
    action: "access.manage",
    summary: "Make a token for a program",
    body: contract.tokenRequest,
    answer: contract.newTokenResponse,
    statuses: { 201: "The token; its secret is shown once" },
  },
  async ({ asker, desk, body }) => {
    demandGrant(asker, body.scopes);
    return { status: 201, body: await managing.mintToken(desk, { ...body, scopes: body.scopes as Scope[] }) };
  },
);

export const revokeToken = endpoint(
  {
    method: "POST",
    path: "/v1/tokens/{id}/revocation",
    action: "access.manage",
    summary: "Revoke a token, from the next request on",
    params: ofId,
    body: contract.revocationRequest,
    answer: contract.tokenSchema,
    statuses: { 200: "The token" },
  },
  async ({ desk, params, body }) => ({
    status: 200,
    body: await managing.revokeToken(desk, { ...params, ...body }),
  }),
);

export const listSessions = endpoint(
  {
    method: "GET",
    path: "/v1/sessions",
    action: "self",
    summary: "The caller's live sessions; those of all people for callers who manage access",
    answer: contract.sessionListResponse,
    statuses: { 200: "The sessions, newest first" },
  },
  async ({ asker, server }) => ({
    status: 200,
    body: await managing.readSessions(server.db, {
      personId: ownerOf(asker),
      currentId: known(asker).credentialId,
      inDemo: server.env.demo,
    }),
  }),
);

export const revokeSession = endpoint(
  {
    method: "POST",
    path: "/v1/sessions/{id}/revocation",
    action: "self",
    summary: "End one of the caller's sessions, or any session for callers who manage access",
    params: ofId,
    body: contract.revocationRequest,
    answer: contract.doneResponse,
    statuses: { 200: "The session has ended" },
  },
  async ({ asker, desk, params, body }) => {
    await managing.revokeSession(desk, { ...params, ...body, ownerId: ownerOf(asker) });
    return { status: 200, body: { done: true as const } };
  },
);

/** A person's grant: a role, and optionally access to masked values. */
const grantsOf = ({ role, payloadRead }: { role: Role; payloadRead: boolean }): Scope[] =>
  payloadRead ? [role, "payload.read"] : [role];

type AskerOf = EndpointCall<unknown, unknown, unknown>["asker"];

/** The wrapper lets in only known callers. */
/** @throws HandrailError `forbidden` for what the caller itself may not do, such as with a token for access alone */
function demandGrant(asker: AskerOf, scopes: readonly string[]): void {
  const openness = mayGrant(known(asker), scopes);
  if (!openness.open) throw new HandrailError("forbidden", openness.because, { action: "access.manage" });
}

/** Whose sessions they may see and end: their own, or everyone's (null). */
function ownerOf(asker: AskerOf): string | null {
  const { personId, ...permissions } = known(asker);
  if (may(permissions, "access.manage").open) return null;
  if (personId === null) throw new HandrailError("forbidden", "A token has no sessions.");
  return personId;
}

function demandSignInThere({ signIn }: Env): void {
  if (!signIn)
    throw new HandrailError("not_found", "Sign-in is off here: everyone who reaches this Handrail may operate it.");
}

const withCookie = (body: object, secret: string | null, env: Env) =>
  Response.json(body, { headers: { "set-cookie": writeCookie(secret, env) } });
