"use client";

import { useEffect, useRef } from "react";

/** What the window that is just closing gives the focus back to. */
let owed: Element | null = null;

/** For a window without a trigger: the element that had the focus before gets it back when the window closes. */
export function useReturnFocus() {
  const before = useRef<Element | null>(null);
  useEffect(
    () => () => {
      owed = before.current;
    },
    [],
  );
  return {
    remember: () => {
      // Where one window takes another's place ("One moment", then the dialog), the focus went with the first.
      const nowhere = document.activeElement === document.body;
      before.current = nowhere && owed?.isConnected ? owed : document.activeElement;
    },
    giveBack: (event: Event) => {
      event.preventDefault();
      owed = null;
      // An element that has gone meanwhile cannot take it; then the page does.
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
    },
  };
}
