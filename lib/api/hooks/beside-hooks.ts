"use client";

import { type InfiniteData, queryOptions, useInfiniteQuery } from "@tanstack/react-query";
import type { RunLogResponse } from "../contract/log";
import { pages, query } from "./query";
import { useAllPages } from "./use-all-pages";

/** What lies beside the steps of a run, on their axis. */

/** Weeks of executions change it little. */
const NORMAL_STALE_MS = 60_000;

/** What is normal for the run's steps, and a good run. */
export const runNormalQuery = (runId: string) =>
  queryOptions({ ...query("/v1/runs/{runId}/normal", { runId }), staleTime: NORMAL_STALE_MS });

export type WhichValue = { part: "input" | "output" } | { part: "step"; step: string; generation: number };

/** A value in the blob store, which never changes; not kept for long, for its size. */
export const runValueQuery = (runId: string, of: WhichValue) =>
  queryOptions({
    ...query("/v1/runs/{runId}/value", { runId, ...of }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** The most that one request answers: the lines of a run are ten such pages at the most. */
const LINES_AT_ONCE = 1_000;
const REFETCH_MS = 15_000;

const linesOf = ({ pages }: InfiniteData<RunLogResponse>) => pages.flatMap(({ lines }) => lines);

/** Every line of a run's log, page after page, while they are asked for. */
export function useLines(runId: string, enabled: boolean) {
  const query = useInfiniteQuery({
    ...pages("/v1/runs/{runId}/logs", { runId, limit: LINES_AT_ONCE }),
    refetchInterval: REFETCH_MS,
    enabled,
    select: linesOf,
  });
  useAllPages(query, enabled);
  return query;
}
