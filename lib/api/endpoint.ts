import { z } from "zod";
import type { Action } from "../engine/permission";

/** `public` answers whoever asks; `self` whoever has said who they are, about themselves. */
export type EndpointAction = Action | "public" | "self";

/** One method of one path, as the document tells it and the wrapper holds to it. */
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
  contentType: "application/json" | "application/x-ndjson" | "text/event-stream";
}

const nothing = z.strictObject({});

/** Enough for any act of a person; starts bring inputs of up to a mebibyte. */
const DEFAULT_MAX_BODY_BYTES = 262_144;
/** More than a mebibyte of ordinary records has; few enough that whatever is done with them in one piece is short. */
const DEFAULT_MAX_BODY_MARKS = 200_000;
/** A map by id can be as large as this. */
const DEFAULT_MAX_BODY_KEYS = 20_000;

type Given<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType> = Pick<
  Endpoint,
  "method" | "path" | "summary" | "action" | "statuses"
> & { answer: Answer } & Partial<Endpoint<Params, Query, Body, Answer>>;

export function endpoint<
  Answer extends z.ZodType,
  Params extends z.ZodType = typeof nothing,
  Query extends z.ZodType = typeof nothing,
  Body extends z.ZodType = z.ZodUndefined,
>(given: Given<Params, Query, Body, Answer>): Endpoint<Params, Query, Body, Answer> {
  return {
    params: nothing as z.ZodType as Params,
    query: nothing as z.ZodType as Query,
    body: null,
    maxBodyBytes: DEFAULT_MAX_BODY_BYTES,
    maxBodyMarks: DEFAULT_MAX_BODY_MARKS,
    maxBodyKeys: DEFAULT_MAX_BODY_KEYS,
    longList: null,
    masked: true,
    contentType: "application/json",
    ...given,
  };
}
