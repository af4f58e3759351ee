import { z } from "zod";
import type { Asker } from "../access/asker";
import type { Action, Permissions } from "../engine/access/permission";
import type { HandrailError } from "../engine/errors";
import type { Desk } from "../operator/desk";
import type { Server } from "../server";

/** `public` answers any caller; `self` any authenticated caller, about itself. */
export type EndpointAction = Action | "public" | "self";

/** The arguments of an endpoint, all checked, and the server's parts. */
export interface EndpointCall<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  /** The caller's desk, for actions. */
  desk: Desk;
  /** Null only of a public endpoint. */
  asker: Asker | null;
  /** The caller's permissions; empty for a public endpoint. */
  permissions: Permissions;
  server: Server;
  request: Request;
}

export interface Reply<Answer> {
  status: number;
  body: Answer;
  headers?: Record<string, string>;
}

/** What the body of a request may have. */
export interface BodyBounds {
  maxBodyBytes: number;
  /** How many values: opening brackets, commas and colons outside of texts. */
  maxBodyMarks: number;
  /** How many distinct keys its objects may have in total. */
  maxBodyKeys: number;
  /** Characters of one text. Default: those of the longest value in a row. */
  maxTextLength?: number;
}

/**
 * One method of one path: the only place that names it. The document, the router and the tests of permissions are
 * derived from it.
 */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> extends BodyBounds {
  method: "GET" | "POST" | "PUT";
  /** Below `/api`, with parameters in braces: `/v1/runs/{runId}`. `{path*}` takes the rest, slashes included. */
  path: `/${string}`;
  summary: string;
  /** The permission that the caller needs. */
  action: EndpointAction;
  params: Params;
  query: Query;
  /** Null for a method that takes none. */
  body: Body | null;
  /** A body that the endpoint reads itself, in the place of `body`. */
  rawBody: { types: readonly string[]; maxBytes: number } | null;
  /** What the body may have where the app has a blob store. Default: the same. */
  withBlobs?: BodyBounds;
  /** The field of the body with a list so long that it is checked in chunks. */
  longList: { field: string; max: number } | null;
  /** Whether it may be answered from a standby, by what was true some moments ago. */
  standby: boolean;
  /** Whether another console answers it, whose answer says itself what it has seen. */
  elsewhere: boolean;
  /** Whether masked values are removed from its answers. False for programs that own runs, and for unmasking. */
  masked: boolean;
  answer: Answer;
  /** What this caller gets of the answer, such as a run with the actions that they may take. Default: all of it. */
  narrow?(asker: Asker, answer: z.output<Answer>): z.output<Answer>;
  /** The meaning of each status with which it answers `answer`. */
  statuses: Record<number, string>;
  /** Statuses of its refusals beyond those that follow from its shape: see refusals.ts. */
  refusals: readonly number[];
  /** Writes its refusals, where another protocol says how. Default: an ErrorResponse. */
  refuse?(error: HandrailError, init: ResponseInit & { status: number }, request: Request): Response;
  contentType: "application/json" | "application/x-ndjson" | "text/event-stream" | "text/plain";
  respond(
    call: EndpointCall<z.output<Params>, z.output<Query>, z.output<Body>>,
  ): Promise<Reply<z.output<Answer>> | Response>;
}

/** Reads, but for those that tell whether workers and databases live, and follow changes: they are of the primary. */
const fromStandby = ({ method, action }: Pick<Endpoint, "method" | "action">) =>
  method === "GET" && action.endsWith(".read") && action !== "system.read" && action !== "metrics.read";

const nothing = z.strictObject({});

/** Enough for any action of a person; starts carry inputs of up to a mebibyte. */
const DEFAULT_MAX_BODY_BYTES = 262_144;
/** More than a mebibyte of ordinary records has; few enough that any synchronous work on them is short. */
const DEFAULT_MAX_BODY_MARKS = 200_000;
/** A map by id can be as large as this. */
const DEFAULT_MAX_BODY_KEYS = 20_000;

type Responding<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType> = (
  call: EndpointCall<z.output<Params>, z.output<Query>, z.output<Body>>,
) => Promise<Reply<z.output<Answer>> | Response>;

type Method = Endpoint["method"];
type Path = Endpoint["path"];

type Given<
  M extends Method,
  P extends Path,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
> = Pick<Endpoint, "summary" | "action" | "statuses"> & { method: M; path: P; answer: Answer } & Partial<
    Omit<Endpoint<Params, Query, Body, Answer>, "respond">
  >;

/** @param respond returns a body of the form `answer`, or a Response as it is */
export function endpoint<
  const M extends Method,
  const P extends Path,
  Answer extends z.ZodType,
  Params extends z.ZodType = typeof nothing,
  Query extends z.ZodType = typeof nothing,
  Body extends z.ZodType = z.ZodUndefined,
>(
  given: Given<M, P, Params, Query, Body, Answer>,
  respond: Responding<Params, Query, Body, Answer>,
): Endpoint<Params, Query, Body, Answer> & { method: M; path: P } {
  return {
    params: nothing as z.ZodType as Params,
    query: nothing as z.ZodType as Query,
    body: null,
    rawBody: null,
    maxBodyBytes: DEFAULT_MAX_BODY_BYTES,
    maxBodyMarks: DEFAULT_MAX_BODY_MARKS,
    maxBodyKeys: DEFAULT_MAX_BODY_KEYS,
    longList: null,
    standby: fromStandby(given),
    elsewhere: false,
    masked: true,
    refusals: [],
    contentType: "application/json",
    ...given,
    respond,
  };
}
