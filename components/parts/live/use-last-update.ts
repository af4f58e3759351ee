"use client";

import { notifyManager, type Query, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { ageOfLastAnswer } from "@/lib/api/client/sight";

/** Who asks, and the demo's sandbox, may be answered without the database: they say nothing of the age of data. */
const ELSEWHERE: readonly unknown[] = ["/v1/session", "/v1/sandbox/{path*}"];

export const isOfDatabase = ({ queryKey }: Query): boolean => !ELSEWHERE.includes(queryKey[0]);

/** When the newest data on this page was read, less its age on a standby, in milliseconds since 1970; 0 before the first. */
export function useLastUpdate(): number {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    // Batched: a query first observed during rendering must not update another component in that render.
    useCallback((onChange) => cache.subscribe(notifyManager.batchCalls(onChange)), [cache]),
    () =>
      Math.max(
        0,
        Math.max(
          ...cache.findAll({ type: "active", predicate: isOfDatabase }).map(({ state }) => state.dataUpdatedAt),
        ) - ageOfLastAnswer(),
      ),
    () => 0,
  );
}
