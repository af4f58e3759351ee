import { useCallback, useLayoutEffect, useRef } from "react";

/** A stable function that calls the latest one: for rows that are rendered only when they change. */
export function useStable<Args extends unknown[], Answer>(act: (...args: Args) => Answer): (...args: Args) => Answer {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...args) => latest.current(...args), []);
}
