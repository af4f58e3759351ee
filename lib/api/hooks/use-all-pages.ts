import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";

type Paged = Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "isError" | "fetchNextPage">;

/** Loads page after page, as long as `wanted`. */
export function useAllPages({ hasNextPage, isFetchingNextPage, isError, fetchNextPage }: Paged, wanted = true) {
  // After each render, and not only while nothing is read: a run that changes all the time is read anew all the time, from its first
  // page on. The next page takes the place of such a reading.
  useEffect(() => {
    if (wanted && hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  });
}
