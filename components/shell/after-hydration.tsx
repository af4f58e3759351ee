"use client";

import { type ReactNode, useDeferredValue } from "react";
import { useHydrated } from "../ui/hooks/use-hydrated";

/**
 * Draws its children in the browser alone. The navigation asks the same questions as a page and hydrates before it, so
 * what a page finds in the cache may be newer than what the server would have drawn.
 *
 * A page that is opened is drawn in pieces, between which the browser answers; one that is gone to stands at once.
 */
export function AfterHydration({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  return useDeferredValue(useHydrated() ? children : fallback);
}
