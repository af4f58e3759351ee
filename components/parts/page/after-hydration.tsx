"use client";

import { type ReactNode, useDeferredValue } from "react";
import { useHydrated } from "@/components/ui/hooks/use-hydrated";

/**
 * Renders its children in the browser only. The navigation uses the same queries as a page and hydrates before it, so
 * the cache may be newer than what the server would have drawn.
 *
 * On a full page load, the page is drawn in chunks between which the browser responds; after a client-side navigation,
 * it is drawn at once.
 */
export function AfterHydration({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  return useDeferredValue(useHydrated() ? children : fallback);
}
