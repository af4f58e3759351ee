"use client";

import { type ReactNode, useEffect, useRef } from "react";

/**
 * The page. When the focused element disappears (a button whose action is done), the page takes the focus, so that it
 * is never lost.
 */
export function MainRegion({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    const region = main.current;
    if (!region) return;
    let last: Element | null = null;
    const remember = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : null;
    };
    const keep = () => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      last = null;
      region.focus({ preventScroll: true });
    };
    const removals = new MutationObserver(keep);
    removals.observe(document.body, { childList: true, subtree: true });
    document.addEventListener("focusin", remember);
    return () => {
      removals.disconnect();
      document.removeEventListener("focusin", remember);
    };
  }, []);
  return (
    <main ref={main} id="main" tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 flex-col outline-none">
      {children}
    </main>
  );
}
