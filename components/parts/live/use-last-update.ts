"use client";

import { notifyManager, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";

/** When the newest answer on this page arrived, in milliseconds since 1970; 0 before the first. */
export function useLastUpdate(): number {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    // Batched: a query first observed during rendering must not update another component in that render.
    useCallback((onChange) => cache.subscribe(notifyManager.batchCalls(onChange)), [cache]),
    () => Math.max(0, ...cache.findAll({ type: "active" }).map((query) => query.state.dataUpdatedAt)),
    () => 0,
  );
}
