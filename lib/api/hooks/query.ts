import type { Query, QueryClient } from "@tanstack/react-query";
import { read } from "../client/browser";
import type { AnswerOf, Given, PathOf, Read } from "../client/client";

type GetPath = PathOf<"GET">;

/** The key of a read in the query cache: its path and arguments. `as`: anything else that changes the answer. */
export const keyOf = <P extends GetPath>(path: P, given: Given<P>, as?: unknown) =>
  as === undefined ? ([path, given] as const) : ([path, given, as] as const);

const OF_CELL = "cell";

/** The key of a read from one cell of a fleet. */
export const keyOfCell = (cell: string, path: string, given?: unknown, as?: unknown) =>
  [OF_CELL, cell, path, given, as] as const;

/** It says nothing of this console, and nothing of its database. */
export const isOfCell = ({ queryKey }: Pick<Query, "queryKey">): boolean => queryKey[0] === OF_CELL;

/** A read with its key. `from`: over HTTP in a browser; the endpoint itself in a page's prefetch. */
export const query = <P extends GetPath>(path: P, given: Given<P>, from: Read = read) => ({
  queryKey: keyOf(path, given),
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<AnswerOf<"GET", P>> => from(path, given, { signal }),
});

const PAGE_SIZE = 50;

/** The same page by page; `limit`: items of a page. */
export const pages = <P extends GetPath>(path: P, given: Given<P> & { limit?: number }, from: Read = read) => ({
  queryKey: keyOf(path, given),
  queryFn: ({
    pageParam,
    signal,
  }: {
    pageParam: string | undefined;
    signal: AbortSignal;
  }): Promise<AnswerOf<"GET", P>> => from(path, { limit: PAGE_SIZE, ...given, cursor: pageParam }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: AnswerOf<"GET", P>) => (page as { nextCursor: string | null }).nextCursor ?? undefined,
});

/** Reads over many runs: any change may touch them. */
const OVER_MANY_RUNS: readonly GetPath[] = [
  "/v1/runs",
  "/v1/runs/counts",
  "/v1/runs/{runId}/children",
  "/v1/overview",
  "/v1/problems",
  "/v1/problems/{problemId}",
  "/v1/compensations",
  "/v1/compensations/counts",
  "/v1/approvals",
  "/v1/plan-approvals",
  "/v1/plans/{planId}",
  "/v1/operations",
  "/v1/operations/{operationId}",
];

/** Reads of one run that change with it. Not its pages of steps: many pages are refetched at their own pace. */
const OF_ONE_RUN: readonly GetPath[] = [
  "/v1/runs/{runId}",
  "/v1/runs/{runId}/steps/{step}",
  "/v1/runs/{runId}/logs",
  "/v1/runs/{runId}/effects",
];

export const ofPaths =
  (...paths: readonly GetPath[]) =>
  ({ queryKey }: Query) =>
    (paths as readonly unknown[]).includes(queryKey[0]);

export const overManyRuns = ofPaths(...OVER_MANY_RUNS);

export const ofAnyRun = ofPaths(...OF_ONE_RUN);

export const ofRuns = (runIds: ReadonlySet<string>) => (query: Query) =>
  ofAnyRun(query) && runIds.has((query.queryKey[1] as { runId: string }).runId);

/** Refetches every read that one of these names. */
export const refresh = (queryClient: QueryClient, ...touched: ((query: Query) => boolean)[]) =>
  queryClient.invalidateQueries({ predicate: (query) => touched.some((names) => names(query)) });

/** After an action on a run, also a refused one: the data that it was based on may be outdated. */
export const refreshRuns = (queryClient: QueryClient) => refresh(queryClient, ofAnyRun, overManyRuns);
