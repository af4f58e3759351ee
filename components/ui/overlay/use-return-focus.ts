"use client";

import { useRef } from "react";

/** For a window without a trigger: the element that had the focus before gets it back when the window closes. */
export function useReturnFocus() {
  const before = useRef<Element | null>(null);
  return {
    remember: () => {
      before.current = document.activeElement;
    },
    giveBack: (event: Event) => {
      event.preventDefault();
      // An element that has gone meanwhile cannot take it; then the page does.
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
    },
  };
}
