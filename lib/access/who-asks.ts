import { timingSafeEqual } from "node:crypto";
import { actionsOf, EVERYTHING, type Permissions } from "../engine/access/permission";
import { HandrailError, isHandrailError } from "../engine/errors";
import type { Env } from "../env";
import { findSession } from "../store/access/sessions";
import { findToken } from "../store/access/tokens";
import type { Db } from "../store/db";
import { type Asker, LOCAL_CALLER } from "./asker";
import { readCookie } from "./cookie";
import { hashOf } from "./secret";

const BOOTSTRAP_NAME = "bootstrap token";

/** The credentials of a request: never both. */
type Credential = { kind: "session" | "token"; secret: string };

/**
 * The cookie is for people, the Authorization header for programs, and neither replaces the other: a session's secret
 * is no token, and browsers send cookies without the user's intent.
 * @throws HandrailError `unauthenticated`, also when both are sent
 */
export function credentialOf(headers: Headers, env: Pick<Env, "origin" | "signIn">): Credential | null {
  const authorization = headers.get("authorization");
  const cookie = env.signIn ? readCookie(headers, env) : null;
  if (authorization !== null && cookie !== null)
    throw new HandrailError("unauthenticated", "Send a session's cookie or a token, not both.");
  if (cookie !== null) return { kind: "session", secret: cookie };
  if (authorization === null) return null;
  const [, secret] = /^Bearer ([\w~+/.=-]{1,512})$/i.exec(authorization) ?? [];
  if (secret === undefined)
    throw new HandrailError("unauthenticated", "The Authorization header is not of the form: Bearer TOKEN.");
  return { kind: "token", secret };
}

/** Like `identifyCaller`, but treats a wrong token as no caller: pages redirect to the sign-in instead of failing. */
export async function callerIfAny(db: Db, headers: Headers, env: Env): Promise<Asker | null> {
  try {
    return await identifyCaller(db, headers, env);
  } catch (error) {
    if (isHandrailError(error) && error.code === "unauthenticated") return null;
    throw error;
  }
}

/**
 * The caller; null without credentials or with an expired session.
 * @throws HandrailError `unauthenticated` for a token that is wrong, revoked or expired
 */
export async function identifyCaller(db: Db, headers: Headers, env: Env): Promise<Asker | null> {
  const credential = credentialOf(headers, env);
  if (credential?.kind === "session") return ofSession(db, credential.secret, env);
  if (credential?.kind === "token") return ofToken(db, credential.secret, env);
  return env.signIn ? null : LOCAL_CALLER;
}

async function ofSession(db: Db, secret: string, { demo }: Env): Promise<Asker | null> {
  const session = await findSession(db, hashOf(secret));
  if (!session || (session.demo && !demo)) return null;
  const { id, person_id: personId, name, role, workflows } = session;
  const actions = actionsOf(session.payload_read ? [role, "payload.read"] : [role]);
  return { name, kind: "person", credentialId: id, personId, role, actions, workflows, accountable: `person ${name}` };
}

/** What the metrics token is for: it is known without the database, so that a scrape tells that the database is gone. */
const METRICS_ALONE: Permissions = { actions: new Set(["metrics.read"]), workflows: null };
const SPANS_ALONE: Permissions = { actions: new Set(["span.write"]), workflows: null };

async function ofToken(db: Db, secret: string, { bootstrapToken, metricsToken, otlpToken }: Env): Promise<Asker> {
  const program = { kind: "token", personId: null, role: null } as const;
  const hash = hashOf(secret);
  const configured = (name: string, token: string | null, permissions: Permissions): Asker | undefined =>
    token !== null && timingSafeEqual(hash, hashOf(token))
      ? { ...program, ...permissions, name, credentialId: null, accountable: name }
      : undefined;
  const known =
    configured(BOOTSTRAP_NAME, bootstrapToken, EVERYTHING) ??
    configured("metrics token", metricsToken, METRICS_ALONE) ??
    configured("OTLP token", otlpToken, SPANS_ALONE);
  if (known) return known;
  const token = await findToken(db, hash);
  if (!token) throw new HandrailError("unauthenticated", "There is no such token, or it is revoked or expired.");
  const { id, name, scopes, workflows, created_by: maker } = token;
  const accountable = `tokens of ${maker}`;
  return { ...program, name, credentialId: id, actions: actionsOf(scopes), workflows, accountable };
}
