import { z } from "zod";
import type { Asker } from "../access/asker";
import type { Action, Permissions } from "../engine/access/permission";
import type { Desk } from "../operator/actions/command";
import type { Server } from "../server";

/** `public` answers whoever asks; `self` whoever has said who they are, about themselves. */
export type EndpointAction = Action | "public" | "self";

/** What an endpoint is given: everything checked, and the server's parts. */
export interface Asked<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  /** The desk of the caller, for actions. */
  desk: Desk;
  /** Null only of a public endpoint. */
  asker: Asker | null;
  /** What the caller may do; nothing of a public endpoint. */
  permissions: Permissions;
  server: Server;
  request: Request;
}

export interface Reply<Answer> {
  status: number;
  body: Answer;
}

/** One method of one path: the only place that names it. The document, the router and the tests of permissions are made from it. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  method: "GET" | "POST" | "PUT";
  /** Below `/api`, with parameters in braces: `/v1/runs/{runId}`. `{path*}` takes the rest, slashes included. */
  path: `/${string}`;
  summary: string;
  /** What whoever asks has to be allowed. */
  action: EndpointAction;
  params: Params;
  query: Query;
  /** Null for a method that takes none. */
  body: Body | null;
  maxBodyBytes: number;
  /** How many values the body may hold: opening brackets, commas and colons outside of texts. */
  maxBodyMarks: number;
  /** How many different keys the objects of the body may have, all together. */
  maxBodyKeys: number;
  /** The field of the body with a list that can be so long that it is checked in turns. */
  longList: { field: string; max: number } | null;
  /** Whether its answers are without what workflows mask. False for programs that own runs, and for the act of unmasking. */
  masked: boolean;
  answer: Answer;
  /** What each status means with which it answers `answer`. */
  statuses: Record<number, string>;
  /** Statuses of its refusals beside those that follow from its shape: see refusals.ts. */
  refusals: readonly number[];
  contentType: "application/json" | "application/x-ndjson" | "text/event-stream";
  respond(asked: Asked<z.output<Params>, z.output<Query>, z.output<Body>>): Promise<Reply<z.output<Answer>> | Response>;
}

const nothing = z.strictObject({});

/** Enough for any act of a person; starts bring inputs of up to a mebibyte. */
const DEFAULT_MAX_BODY_BYTES = 262_144;
/** More than a mebibyte of ordinary records has; few enough that whatever is done with them in one piece is short. */
const DEFAULT_MAX_BODY_MARKS = 200_000;
/** A map by id can be as large as this. */
const DEFAULT_MAX_BODY_KEYS = 20_000;

type Responding<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType> = (
  asked: Asked<z.output<Params>, z.output<Query>, z.output<Body>>,
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

/** @param respond answers with a body of the form `answer`, or with a Response as it is */
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
    maxBodyBytes: DEFAULT_MAX_BODY_BYTES,
    maxBodyMarks: DEFAULT_MAX_BODY_MARKS,
    maxBodyKeys: DEFAULT_MAX_BODY_KEYS,
    longList: null,
    masked: true,
    refusals: [],
    contentType: "application/json",
    ...given,
    respond,
  };
}
