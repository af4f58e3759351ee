"use client";

import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { RunSpansResponse } from "../contract/spans";
import { pages } from "./query";

/** Spans come in batches, some seconds behind, also after the run's end. */
const REFETCH_MS = 15_000;
const PAGE_SIZE = 500;

const allSpans = ({ pages }: InfiniteData<RunSpansResponse>) => ({
  ...(pages.at(-1) as RunSpansResponse),
  spans: pages.flatMap(({ spans }) => spans),
});

/** Every span of a run, page after page: 2,000, or as many again of its trace. */
export function useSpans(runId: string, enabled = true) {
  const query = useInfiniteQuery({
    ...pages("/v1/runs/{runId}/spans", { runId, limit: PAGE_SIZE }),
    refetchInterval: REFETCH_MS,
    enabled,
    select: allSpans,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (enabled && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [enabled, hasNextPage, isFetching, isError, fetchNextPage]);
  return query;
}
