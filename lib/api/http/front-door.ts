import { randomUUID } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { HandrailError, isHandrailError } from "../../engine/errors";
import type { Env } from "../../env";
import { ERROR_STATUS } from "./error-status";
import { errorBody, headersOf } from "./failure";
import { refuseOtherHosts } from "./same-origin";
import securityHeaders from "./security-headers.json";

/** Node publishes each request here before the server's own listeners see it. */
const REQUESTS = "http.server.request.start";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * A request that has not arrived completely by then is answered with 408 and its connection closed. Node checks every
 * 30 s.
 */
const REQUEST_TIMEOUT_MS = 60_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** How long the rest of a body is read after the answer: enough for the client to read the answer. */
const LINGER_MS = 1_000;

type Started = { server: Server; request: IncomingMessage };

/**
 * Guards this process's HTTP servers. Refuses requests that Next's router would answer with a bare 500 (targets that
 * are no path or not percent-encoded UTF-8, methods that `Request` does not take) or that do not name this server, and
 * closes connections whose body continues after the answer.
 * @returns removes the guard; servers that it already guards stay guarded
 */
export function guardFrontDoor(env: Pick<Env, "origin">): () => void {
  const guarded = new WeakSet<Server>();
  const onRequest = (message: unknown) => {
    const { server } = message as Started;
    if (guarded.has(server)) return;
    guarded.add(server);
    guard(server, env);
  };
  subscribe(REQUESTS, onRequest);
  return () => void unsubscribe(REQUESTS, onRequest);
}

function guard(server: Server, env: Pick<Env, "origin">): void {
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  const behind = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    response.once("finish", () => closeUnlessRead(request));
    try {
      refuseUnanswerable(request, env);
    } catch (thrown) {
      if (!isHandrailError(thrown)) throw thrown;
      return answer(response, thrown);
    }
    for (const listener of behind) listener.call(server, request, response);
  });
}

/** @throws HandrailError `invalid_request` or `method_not_allowed` */
function refuseUnanswerable({ method = "", url = "", headers }: IncomingMessage, env: Pick<Env, "origin">): void {
  const [path = ""] = url.split("?", 1);
  refuseOtherHosts(headers.host ?? "", env, { path, authorization: headers.authorization });
  if (!METHODS.includes(method))
    throw new HandrailError("method_not_allowed", `${method} is not a method of this server.`, { allowed: METHODS });
  if (!url.startsWith("/"))
    throw new HandrailError("invalid_request", "The request's target is no path: ask for /path, not for an address.");
  try {
    decodeURIComponent(path);
  } catch {
    throw new HandrailError("invalid_request", "The path is not percent-encoded UTF-8.");
  }
}

function answer(response: ServerResponse, error: HandrailError): void {
  const requestId = randomUUID();
  response.writeHead(ERROR_STATUS[error.code], {
    ...securityHeaders.everywhere,
    ...securityHeaders.noPage,
    ...headersOf(error),
    "content-type": "application/json",
    "cache-control": "private, no-store",
    "x-request-id": requestId,
  });
  response.end(JSON.stringify(errorBody(error, requestId)));
}

function closeUnlessRead(request: IncomingMessage): void {
  if (request.complete) return;
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LINGER_MS).unref();
}
