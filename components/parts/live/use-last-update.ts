"use client";

import { notifyManager, type Query, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { ageOf } from "@/lib/api/client/sight-of-browser";
import { isOfCell } from "@/lib/api/hooks/query";

/** Who asks, the fleet and the demo's sandbox may be answered without the database: they say nothing of the age of data. */
const ELSEWHERE: readonly unknown[] = ["/v1/session", "/v1/cells", "/v1/sandbox/{path*}"];

export const isOfDatabase = (query: Query): boolean => !isOfCell(query) && !ELSEWHERE.includes(query.queryKey[0]);

/**
 * When the newest answer on this page arrived, less the age of the oldest that came from a standby, in milliseconds since
 * 1970; 0 before the first.
 */
export function useLastUpdate(): number {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    // Batched: a query first observed during rendering must not update another component in that render.
    useCallback((onChange) => cache.subscribe(notifyManager.batchCalls(onChange)), [cache]),
    () => {
      const shown = cache.findAll({ type: "active", predicate: isOfDatabase });
      const arrivedAt = Math.max(...shown.map(({ state }) => state.dataUpdatedAt));
      return Math.max(0, arrivedAt - Math.max(...shown.map(({ queryKey }) => ageOf(queryKey[0] as string))));
    },
    () => 0,
  );
}
