"use client";

import { useEffect } from "react";
import type { useSteadyRuns } from "./use-steady-runs";

/**
 * Consecutive pages that ended early because too many runs were scanned: beyond this, the user decides whether to
 * search on.
 */
const MOST_STOPS = 20;

/** Gets the next page whenever the end of the list is near. */
export function useOlderRuns(
  {
    data,
    hasNextPage,
    isFetching,
    isFetchNextPageError,
    fetchNextPage,
  }: Pick<
    ReturnType<typeof useSteadyRuns>["query"],
    "data" | "hasNextPage" | "isFetching" | "isFetchNextPageError" | "fetchNextPage"
  >,
  atEnd: boolean,
) {
  const goesOn = (data?.stops ?? 0) < MOST_STOPS;
  // After each render, not on changes: a request that a refetch cancels at once changes nothing that one could see.
  useEffect(() => {
    if (goesOn && atEnd && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  });
}
