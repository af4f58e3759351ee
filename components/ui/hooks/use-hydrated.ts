"use client";

import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False while the page is as the server drew it: what depends on the viewer (zone, keyboard, storage) waits for true. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
