"use client";

import { useHydrated } from "./use-hydrated";

/** Whether the viewer's keyboard has ⌘; false until the browser has taken over. */
export const useMac = (): boolean => useHydrated() && /Mac|iPhone|iPad/.test(navigator.platform);
