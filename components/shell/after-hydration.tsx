"use client";

import type { ReactNode } from "react";
import { useHydrated } from "../ui/use-hydrated";

/**
 * Draws its children in the browser alone. The navigation asks the same questions as a page and hydrates before it, so
 * what a page finds in the cache may be newer than what the server would have drawn.
 */
export function AfterHydration({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  return useHydrated() ? children : fallback;
}
