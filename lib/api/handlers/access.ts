import { writeCookie } from "../../access/cookie";
import { whoAsksIfAnybody } from "../../access/who-asks";
import { HandrailError } from "../../engine/errors";
import { may, mayGrant, type Role, type Scope } from "../../engine/permission";
import type { Env } from "../../env";
import * as managing from "../../operator/access";
import * as entering from "../../operator/sign-in";
import * as endpoints from "../endpoints";
import { type Asked, route } from "../route";

export const signIn = route(endpoints.signIn, async ({ desk, body, server, request }) => {
  const { env, db } = server;
  demandSignInThere(env);
  const before = await whoAsksIfAnybody(db, request.headers, env);
  const { secret } = await entering.signIn(desk, body, before?.personId ? before.credentialId : null);
  return withCookie({ name: body.name }, secret, env);
});

export const signInToDemo = route(endpoints.signInToDemo, async ({ desk, body, server, request }) => {
  const { env, db } = server;
  if (!env.demo || !env.signIn)
    throw new HandrailError("not_found", "There is nothing here. Being whom one likes is a part of the demo alone.");
  const before = await whoAsksIfAnybody(db, request.headers, env);
  const { secret } = await entering.signInToDemo(desk, body.role, before?.personId ? before.credentialId : null);
  return withCookie({ name: body.role }, secret, env);
});

export const setUp = route(endpoints.setUp, async ({ desk, body, server }) => {
  demandSignInThere(server.env);
  const { name, secret } = await entering.setUp(desk, body);
  return withCookie({ name }, secret, server.env);
});

export const getMe = route(endpoints.getMe, async ({ asker, server }) => {
  const { name, kind, role, actions, workflows, personId, credentialId } = known(asker);
  const may = { actions: [...actions], workflows: workflows && [...workflows] };
  const sessionId = personId === null ? null : credentialId;
  return { status: 200, body: { name, kind, role, ...may, sessionId, signIn: server.env.signIn } };
});

export const signOut = route(endpoints.signOut, async ({ asker, desk, server }) => {
  const { personId, credentialId } = known(asker);
  if (personId !== null && credentialId !== null)
    await managing.revokeSession(desk, { id: credentialId, ownerId: personId, reason: "Signed out." });
  return withCookie({ done: true }, null, server.env);
});

export const listPeople = route(endpoints.listPeople, async ({ server }) => ({
  status: 200,
  body: await managing.readPeople(server.db, server.env.demo),
}));

export const invitePerson = route(endpoints.invitePerson, async ({ asker, desk, body }) => {
  demandGrant(asker, grantsOf(body));
  return { status: 201, body: await managing.invitePerson(desk, body) };
});

/** What a person is given: a role, and perhaps a look at masked values. */
const grantsOf = ({ role, payloadRead }: { role: Role; payloadRead: boolean }): Scope[] =>
  payloadRead ? [role, "payload.read"] : [role];

export const changePerson = route(endpoints.changePerson, async ({ asker, desk, params, body }) => {
  demandGrant(asker, grantsOf(body));
  return { status: 200, body: await managing.changePerson(desk, { ...params, ...body }) };
});

export const listTokens = route(endpoints.listTokens, async ({ server }) => ({
  status: 200,
  body: await managing.readTokens(server.db),
}));

export const mintToken = route(endpoints.mintToken, async ({ asker, desk, body }) => {
  demandGrant(asker, body.scopes);
  return { status: 201, body: await managing.mintToken(desk, { ...body, scopes: body.scopes as Scope[] }) };
});

export const revokeToken = route(endpoints.revokeToken, async ({ desk, params, body }) => ({
  status: 200,
  body: await managing.revokeToken(desk, { ...params, ...body }),
}));

export const listSessions = route(endpoints.listSessions, async ({ asker, server }) => ({
  status: 200,
  body: await managing.readSessions(server.db, {
    personId: ownerOf(asker),
    currentId: known(asker).credentialId,
    inDemo: server.env.demo,
  }),
}));

export const revokeSession = route(endpoints.revokeSession, async ({ asker, desk, params, body }) => {
  await managing.revokeSession(desk, { ...params, ...body, ownerId: ownerOf(asker) });
  return { status: 200, body: { done: true as const } };
});

type AskerOf = Asked<unknown, unknown, unknown>["asker"];

/** The wrapper has let nobody in whom it does not know. */
function known(asker: AskerOf): NonNullable<AskerOf> {
  if (!asker) throw new HandrailError("unauthenticated", "Sign in first.");
  return asker;
}

/** @throws HandrailError `forbidden` for what they may not do themselves, such as with a token for access alone */
function demandGrant(asker: AskerOf, scopes: readonly string[]): void {
  const openness = mayGrant(known(asker), scopes);
  if (!openness.open) throw new HandrailError("forbidden", openness.because, { action: "access.manage" });
}

/** Whose sessions they may look at and end: their own, or everybody's (null). */
function ownerOf(asker: AskerOf): string | null {
  const { personId, ...permissions } = known(asker);
  if (may(permissions, "access.manage").open) return null;
  if (personId === null) throw new HandrailError("forbidden", "A token has no sessions.");
  return personId;
}

function demandSignInThere({ signIn }: Env): void {
  if (!signIn)
    throw new HandrailError("not_found", "There is no sign-in here: whoever reaches this Handrail may operate it.");
}

const withCookie = (body: object, secret: string | null, env: Env) =>
  Response.json(body, { headers: { "set-cookie": writeCookie(secret, env) } });
