import { createHash, type Hash, randomUUID } from "node:crypto";
import type { z } from "zod";
import { type Asker, ownerOf } from "../access/asker";
import { whoAsks } from "../access/who-asks";
import { HandrailError } from "../engine/errors";
import type { Parts } from "../engine/parts";
import { NOTHING, seesMasked } from "../engine/permission";
import type { Desk } from "../operator/command";
import { inTurns } from "../operator/in-turns";
import { type Server, server, serverLog } from "../server";
import { serverEnv } from "../server-env";
import { callerOf } from "./caller";
import { checkInTurns } from "./check-in-turns";
import type { Reads } from "./client";
import { idempotencyKey } from "./contract/requests";
import { type Run, runSchema } from "./contract/run";
import type { Endpoint } from "./endpoint";
import { ERROR_STATUS } from "./error-status";
import { asHandrailError, errorBody, headersOf, misfit } from "./failure";
import { maskAnswer, maskRefusal } from "./mask-answer";
import { transportSecurity } from "./page-policy";
import { demandPermission, demandSignIn } from "./permission";
import { permittedReads, withOwnActs } from "./permitted-reads";
import { readJsonBody } from "./request-body";
import { pathParameters, queryFields } from "./request-parts";
import { refuseOtherOrigins, refuseWithoutOrigin } from "./same-origin";

/** What a handler is handed: everything checked, and the server's parts. */
export interface Asked<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  /** The desk of whoever asks, for acts. */
  desk: Desk;
  /** Null only of a public endpoint. */
  asker: Asker | null;
  /** What whoever asks may read; nothing of a public endpoint. */
  reads: Reads;
  server: Server;
  request: Request;
}

export interface Reply<Answer> {
  status: number;
  body: Answer;
}

type Handler = (request: Request) => Promise<Response>;
type Answering = (request: Request, requestId: string) => Promise<Response>;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
type Method = (typeof METHODS)[number];

const endpointsOf = new WeakMap<Handler, Endpoint | null>();

/** The endpoint that a handler of ours answers; null for one that only refuses, undefined for a handler of another make. */
export const endpointOf = (handler: Handler): Endpoint | null | undefined => endpointsOf.get(handler);

/** The one way from HTTP to the rest: what comes in is limited and checked, what goes out is an answer of the contract or an error. */
export function route<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
>(
  endpoint: Endpoint<Params, Query, Body, Answer>,
  answer: (
    asked: Asked<z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Promise<Reply<z.output<Answer>> | Response>,
): Handler {
  const handler = wrapped(async (request, requestId) => {
    const url = new URL(request.url);
    const asker = endpoint.action === "public" ? null : await askerOf(request);
    demandSignIn(endpoint.action, asker);
    const by = callerOf(request, requestId, asker);
    const params = check(endpoint.params, pathParameters(endpoint.path, url.pathname), "path");
    const { db, notifier, auditKeys } = server();
    const opened = { db, notifier, auditKeys, by, request: null };
    await demandPermission(endpoint, asker, opened, { params, body: null });
    const query = check(endpoint.query, queryFields(url.searchParams), "query");
    const { body, chunks } = await readBody(endpoint, request);
    await demandPermission(endpoint, asker, opened, { params, body });
    const desk = { ...opened, request: await requestKey(request, endpoint, asker, chunks) };
    const reads = permittedReads(server().reads, asker ?? NOTHING);
    const asked = { params, query, body, desk, asker, reads, server: server(), request };
    const answered = { about: params as object, sees: seesMasked(asker ?? NOTHING) };
    const reply = await answer(asked).catch(async (thrown) => Promise.reject(await maskRefusal(db, thrown, answered)));
    if (reply instanceof Response) return reply;
    const own =
      asker && (endpoint.answer as z.ZodType) === runSchema ? withOwnActs(asker, reply.body as Run) : reply.body;
    const told = endpoint.masked ? await maskAnswer(db, endpoint.answer, own, answered) : own;
    return Response.json(told, { status: reply.status });
  });
  endpointsOf.set(handler, endpoint);
  return handler;
}

/** Who asks; with a cookie, only from a page of ours. */
async function askerOf(request: Request): Promise<Asker | null> {
  const { db, env } = server();
  const asker = await whoAsks(db, request.headers, env);
  if (asker?.personId != null) refuseWithoutOrigin(request);
  return asker;
}

/** All methods of one path: those that are not given answer that they are not. */
export function methods(given: Partial<Record<Method, Handler>>): Record<Method, Handler> {
  const allowed = METHODS.filter((method) => given[method]);
  const refuse = wrapped(async ({ method }) => {
    throw new HandrailError("method_not_allowed", `${method} is not a method of this path.`, { allowed });
  });
  endpointsOf.set(refuse, null);
  return Object.fromEntries(METHODS.map((method) => [method, given[method] ?? refuse])) as Record<Method, Handler>;
}

/** For every path of which there is no other. */
export function unknownPath(): Record<Method, Handler> {
  const refuse = wrapped(async ({ url }) => {
    throw new HandrailError("not_found", `There is nothing at ${new URL(url).pathname}.`);
  });
  endpointsOf.set(refuse, null);
  return Object.fromEntries(METHODS.map((method) => [method, refuse])) as Record<Method, Handler>;
}

function wrapped(answer: Answering): Handler {
  return async (request) => {
    const requestId = randomUUID();
    const response = await attempt(answer, request, requestId);
    response.headers.set("x-request-id", requestId);
    const overHttps = transportSecurity(serverEnv());
    if (overHttps !== null) response.headers.set("strict-transport-security", overHttps);
    if (!response.headers.has("cache-control")) response.headers.set("cache-control", "private, no-store");
    return response;
  };
}

async function attempt(answer: Answering, request: Request, requestId: string): Promise<Response> {
  try {
    refuseOtherOrigins(request, serverEnv());
    return await answer(request, requestId);
  } catch (thrown) {
    const error = asHandrailError(thrown);
    const status = ERROR_STATUS[error.code];
    const told = { requestId, method: request.method, path: new URL(request.url).pathname, code: error.code };
    if (status >= 500) serverLog().error({ ...told, err: thrown }, error.message);
    else serverLog().debug(told, error.message);
    return Response.json(errorBody(error, requestId), { status, headers: headersOf(error) });
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
): Promise<{ body: z.output<Body>; chunks: readonly Uint8Array[] }> {
  if (!endpoint.body) return { body: undefined as z.output<Body>, chunks: [] };
  const { chunks, value } = await readJsonBody(request, endpoint);
  const { data, error } = await checkInTurns(endpoint.body, value, endpoint.longList);
  if (error) throw misfit("invalid_input", "body", error);
  return { body: data as z.output<Body>, chunks };
}

/** The Idempotency-Key header together with whose it is and what it was sent for; null also of callers who have not signed in. */
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
