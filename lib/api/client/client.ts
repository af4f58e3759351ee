import type { ErrorCode } from "../../engine/errors";
import { addressOf } from "./address";
import type { Contract, ErrorResponse, Part } from "./contract";
import { type Sight, sightOfClient } from "./sight";

type Method = keyof Contract;

/** The paths of the contract that have this method. */
export type PathOf<M extends Method> = keyof Contract[M] & string;
type Params<M extends Method, P extends PathOf<M>> = Part<M, P, "params">;
type Query<P extends PathOf<"GET">> = Part<"GET", P, "query">;
/** Parameters of the path and of the query in one object. */
export type Given<P extends PathOf<"GET">> = Params<"GET", P> & {
  [Name in keyof Query<P>]?: Query<P>[Name] | undefined;
};
export type AnswerOf<M extends Method, P extends PathOf<M>> = Part<M, P, "answer">;
export type RequestOf<M extends Method, P extends PathOf<M>> = Part<M, P, "request">;

/** A refusal or failure of the API. `message` is a sentence for the user. */
export class ApiError extends Error {
  override name = "ApiError";

  constructor(
    readonly code: ErrorCode | "unreachable",
    message: string,
    /** The HTTP status; 0 when no answer came. */
    readonly status: number,
    /** Names the request in the server's log; null when no answer came. */
    readonly requestId: string | null = null,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

export interface Options {
  /** Aborts the request. */
  signal?: AbortSignal;
}

/** How a page reads: the browser over HTTP, a server-rendered page from the endpoint itself. */
export type Read = <P extends PathOf<"GET">>(
  path: P,
  given: Given<P>,
  options?: Options,
) => Promise<AnswerOf<"GET", P>>;

/** A mutation as it is sent: the same key sent twice takes effect once. */
export interface Sent<Request> {
  request: Request;
  /** Created when the dialog opens, so that a double click and a retry are one action. */
  idempotencyKey: string;
}

type Sending<Request> = Options & { request: Request; idempotencyKey?: string };

export const newIdempotencyKey = () => crypto.randomUUID();

/** Where requests go, and what is sent with each of them. */
export interface Place {
  /** What comes before the paths of the contract, without a slash at its end: `/api`, `https://handrail.example.com/api`. */
  base: string;
  /** Sent with every request, such as `authorization`. Default: none. */
  headers?: Readonly<Record<string, string>>;
  /** Default: the platform's. */
  fetch?: typeof fetch;
  /** Default: of this client alone. */
  sight?: Sight;
}

type Post = <P extends PathOf<"POST">>(
  path: P,
  params: Params<"POST", P>,
  sending: Sending<RequestOf<"POST", P>>,
) => Promise<AnswerOf<"POST", P>>;

type Put = <P extends PathOf<"PUT">>(
  path: P,
  params: Params<"PUT", P>,
  sending: Sending<RequestOf<"PUT", P>>,
) => Promise<AnswerOf<"PUT", P>>;

/** Each function throws an ApiError where Handrail refuses, fails or does not answer. */
export interface Client {
  read: Read;
  post: Post;
  put: Put;
}

export function clientOf({ sight = sightOfClient(), ...given }: Place): Client {
  const place = { ...given, sight };
  const send =
    (method: "POST" | "PUT") =>
    <Answer>(path: string, params: unknown, sending: Sending<unknown>) =>
      ask<Answer>(place, method, addressOf(path, params as object), sending);
  return {
    read: (path, given, options = {}) => ask(place, "GET", addressOf(path, given), options, path),
    post: send("POST"),
    put: send("PUT"),
  };
}

async function ask<Answer>(
  { base, headers: always, fetch: send = fetch, sight }: Place & { sight: Sight },
  method: Method,
  address: string,
  { request, idempotencyKey, signal }: Partial<Sending<unknown>>,
  read?: string,
): Promise<Answer> {
  const headers: Record<string, string> = { ...always, ...sight.headers(), accept: "application/json" };
  if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
  if (request !== undefined) headers["content-type"] = "application/json";
  const response = await send(base + address, {
    method,
    headers,
    body: request === undefined ? null : JSON.stringify(request),
    signal: signal ?? null,
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new ApiError("unreachable", "Handrail does not answer. Check that it is running, then try again.", 0);
  });
  sight.note(response.headers, read);
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok || answer === undefined) throw refusal(response.status, answer);
  return answer as Answer;
}

function refusal(status: number, answer: unknown): ApiError {
  const error = (answer as Partial<ErrorResponse> | undefined)?.error;
  if (!error?.message) return new ApiError("internal", `Handrail answered with HTTP ${status} and no reason.`, status);
  return new ApiError(error.code, error.message, status, error.requestId, error.details);
}
