"use client";

import { useCallback, useSyncExternalStore } from "react";

/** False on the server and in the first pass, then as the screen is. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(query);
      list.addEventListener("change", onChange);
      return () => list.removeEventListener("change", onChange);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
}

/** From here on a list and its inspector fit side by side. */
export const SIDE_BY_SIDE = "(min-width: 80rem)";

/** A wide screen at 200 %, or a phone on its side: the variant `short` of app/globals.css, as wide as two lines of a card need. */
export const SHORT = "(max-height: 31.24rem) and (min-width: 40rem) and (max-width: 47.99rem)";

/** Narrower than the side navigation: bars at the foot, cards for rows, sheets for windows. */
export const PHONE = "(max-width: 47.99rem)";
