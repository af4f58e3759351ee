import { useCallback, useLayoutEffect, useRef } from "react";

/** One and the same function while the component is there, which does what the latest one does: for rows that are drawn anew only when they change. */
export function useStable<Args extends unknown[], Answer>(act: (...args: Args) => Answer): (...args: Args) => Answer {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...args) => latest.current(...args), []);
}
