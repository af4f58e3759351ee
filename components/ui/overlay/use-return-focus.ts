"use client";

import { useRef } from "react";

/** For a window that opens without a trigger of its own: what had the focus before gets it back when the window closes. */
export function useReturnFocus() {
  const before = useRef<Element | null>(null);
  return {
    remember: () => {
      before.current = document.activeElement;
    },
    giveBack: (event: Event) => {
      event.preventDefault();
      // What has gone meanwhile cannot take it; then the page does.
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
    },
  };
}
