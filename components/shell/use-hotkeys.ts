"use client";

import { useEffect, useEffectEvent } from "react";

/** By `KeyboardEvent.key`, in lower case where it is a letter. */
export type Hotkeys = Record<string, (event: KeyboardEvent) => void>;

/** Single keys that work while nobody types and no window is open. */
export function useHotkeys(hotkeys: Hotkeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isBusy(event.target)) return;
    if (event.key === "Enter" && isPressable(event.target)) return;
    const act = hotkeys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act(event);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

/** What has the focus and a use of its own for Enter. */
const isPressable = (target: EventTarget | null) =>
  target instanceof Element && target.closest("a, button, summary") !== null;

function isBusy(target: EventTarget | null): boolean {
  const types = target instanceof Element && target.closest("input, textarea, select, [contenteditable=true]") !== null;
  return types || document.querySelector("[role=dialog][data-state=open], [role=menu][data-state=open]") !== null;
}
