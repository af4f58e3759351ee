import { createHash, type Hash, randomUUID } from "node:crypto";
import type { z } from "zod";
import { type Asker, ownerOf } from "../../access/asker";
import { NOTHING, seesMasked } from "../../engine/access/permission";
import { type Caller, MAX_USER_AGENT } from "../../engine/audit/audit";
import { HandrailError } from "../../engine/errors";
import type { Parts } from "../../engine/parts";
import { receivedTrace } from "../../engine/traces/trace-context";
import type { Desk } from "../../operator/desk";
import { within } from "../../operator/health/database-pulse";
import { inTurns } from "../../operator/in-turns";
import type { Server } from "../../server";
import { demandPermission, demandSignIn } from "../access/permission";
import { idempotencyKey } from "../contract/requests";
import type { Endpoint, Reply } from "../endpoint";
import { maskAnswer, maskRefusal } from "../masking/mask-answer";
import { checkInTurns } from "./check-in-turns";
import { ERROR_STATUS } from "./error-status";
import { asHandrailError, errorBody, headersOf, misfit } from "./failure";
import { jsonAnswer } from "./json-answer";
import { readJsonBody } from "./request-body";
import { pathParameters, queryFields } from "./request-parts";
import { withSight } from "./sight";
import type { Site } from "./site";

export type Handler = (request: Request) => Promise<Response>;
type Answering = (request: Request, requestId: string) => Promise<Response>;

/** Answers HTTP requests to the endpoint. */
export function handlerOf(site: Site, endpoint: Endpoint): Handler {
  const answerIt: Answering = async (request, requestId) => {
    const server = await site.server();
    const asker = endpoint.action === "public" ? null : await askerInTime(site, request, server);
    const reply = await answer(server, endpoint, asker, request, requestId);
    return reply instanceof Response ? reply : jsonAnswer(reply.body, reply.status, reply.headers);
  };
  const handler = answering(site, answerIt, endpoint.refuse);
  return async (request) => {
    const since = performance.now();
    const response = await handler(request);
    site.onAnswer?.(endpoint, response.status, performance.now() - since);
    return response;
  };
}

/** A database that works tells who is asking in a millisecond. One that hangs would keep callers until they give up. */
const ASKER_MS = 5_000;

async function askerInTime(site: Site, request: Request, server: Server): Promise<Asker | null> {
  const asker = await within(site.askerOf(request, server), ASKER_MS, undefined);
  if (asker !== undefined) return asker;
  throw new HandrailError("unavailable", "The database does not answer. Nothing was done; try again in a moment.", {
    waitMs: ASKER_MS,
  });
}

/**
 * Calls an endpoint for a caller, over HTTP or for a page that is rendered here: limits and validates the input, checks
 * permissions, and masks the answer.
 * @throws HandrailError what the error answer says
 */
export async function answer(
  server: Server,
  endpoint: Endpoint,
  asker: Asker | null,
  request: Request,
  requestId: string,
): Promise<Reply<unknown> | Response> {
  const url = new URL(request.url);
  demandSignIn(endpoint.action, asker);
  const by = callerOf(request, requestId, asker);
  const params = check(endpoint.params, pathParameters(endpoint.path, url.pathname), "path");
  const { db, notifier, auditKeys } = server;
  const owner = asker && ownerOf(asker);
  const opened = { db, notifier, auditKeys, by, owner, request: null, trace: receivedTrace(request.headers) };
  await demandPermission(endpoint, asker, opened, { params, body: null });
  const query = check(endpoint.query, queryFields(url.searchParams), "query");
  const { body, chunks } = await readBody(endpoint, request, server.blobs.isOpen);
  if (endpoint.body) await demandPermission(endpoint, asker, opened, { params, body });
  const desk = { ...opened, request: await requestKey(request, endpoint, asker, chunks) };
  const permissions = asker ?? NOTHING;
  const answered = { about: params as object, sees: seesMasked(permissions) };
  // What hides masked values is read where the answer is.
  return withSight(server, endpoint, asker, request, async (server) => {
    const reply = await endpoint
      .respond({ params, query, body, desk, asker, permissions, server, request })
      .catch(async (thrown) => Promise.reject(await maskRefusal(server.db, thrown, answered)));
    if (reply instanceof Response) return reply;
    const own = asker && endpoint.narrow ? endpoint.narrow(asker, reply.body) : reply.body;
    const shown = endpoint.masked ? await maskAnswer(server.db, endpoint.answer, own, answered) : own;
    return { status: reply.status, body: shown };
  });
}

/** Every answer of the API, also an error, has an id and headers against use by other sites and caches. */
export function answering(site: Site, answer: Answering, refuse?: Endpoint["refuse"]): Handler {
  return async (request) => {
    const requestId = randomUUID();
    const response = await attempt(site, answer, request, requestId, refuse);
    response.headers.set("x-request-id", requestId);
    const overHttps = site.transportSecurity();
    if (overHttps !== null) response.headers.set("strict-transport-security", overHttps);
    if (!response.headers.has("cache-control")) response.headers.set("cache-control", "private, no-store");
    return response;
  };
}

async function attempt(
  site: Site,
  answer: Answering,
  request: Request,
  requestId: string,
  refuse: Endpoint["refuse"],
): Promise<Response> {
  try {
    site.guard(request);
    return await answer(request, requestId);
  } catch (thrown) {
    const error = asHandrailError(thrown);
    const status = ERROR_STATUS[error.code];
    const fields = { requestId, method: request.method, path: new URL(request.url).pathname, code: error.code };
    if (status >= 500) site.log().error({ ...fields, err: thrown }, error.message);
    else site.log().debug(fields, error.message);
    const init = { status, headers: headersOf(error) };
    return refuse?.(error, init, request) ?? Response.json(errorBody(error, requestId), init);
  }
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const { data, error } = schema.safeParse(value);
  if (error) throw misfit("invalid_request", what, error);
  return data as z.output<Schema>;
}

async function readBody<Body extends z.ZodType>(
  endpoint: Endpoint<z.ZodType, z.ZodType, Body>,
  request: Request,
  hasBlobs: boolean,
): Promise<{ body: z.output<Body>; chunks: readonly Uint8Array[] }> {
  if (!endpoint.body) return { body: undefined as z.output<Body>, chunks: [] };
  const { chunks, value } = await readJsonBody(request, hasBlobs && endpoint.withBlobs ? endpoint.withBlobs : endpoint);
  const { data, error } = await checkInTurns(endpoint.body, value, endpoint.longList);
  if (error) throw misfit("invalid_input", "body", error);
  return { body: data as z.output<Body>, chunks };
}

/** The Idempotency-Key header with its owner and its request; null also for unauthenticated callers. */
async function requestKey(
  { headers, url }: Request,
  endpoint: Endpoint,
  asker: Asker | null,
  chunks: readonly Uint8Array[],
): Promise<Desk["request"]> {
  const key = headers.get("idempotency-key");
  if (key === null || endpoint.method === "GET") return null;
  check(idempotencyKey, key, "Idempotency-Key header");
  if (asker === null) return null;
  const scope = `${ownerOf(asker)} ${endpoint.method} ${endpoint.path}`;
  const hash = createHash("sha256").update(`${endpoint.method}\n${new URL(url).pathname}\n`);
  await inTurns(hashInParts(hash, chunks));
  return { key, scope, fingerprint: hash.digest("hex") };
}

function* hashInParts(hash: Hash, chunks: readonly Uint8Array[]): Parts<void> {
  for (const chunk of chunks) {
    hash.update(chunk);
    yield;
  }
}

/** An unauthenticated caller, such as before sign-in. */
const UNKNOWN_CALLER = { name: "nobody", kind: "person", credentialId: null } as const;

const MAX_ADDRESS = 64;

/** The caller and its credential, for the audit. */
function callerOf({ headers }: Request, requestId: string, asker: Asker | null): Caller {
  const { name, kind, credentialId } = asker ?? UNKNOWN_CALLER;
  return {
    name,
    kind,
    credentialId,
    // An address that the sender did not choose: lib/access/peer-address.ts.
    address: headers.get("x-forwarded-for")?.split(",").at(-1)?.trim().slice(0, MAX_ADDRESS) || null,
    userAgent: headers.get("user-agent")?.slice(0, MAX_USER_AGENT) || null,
    requestId,
  };
}
