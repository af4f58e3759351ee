"use client";

import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}

/** What this browser keeps under the key. Storage may be switched off; then nothing is remembered, and everything else goes on. */
export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Nothing to do: see above.
  }
  for (const listener of listeners) listener();
}

/** A text that this browser keeps; `undefined` while the page is as the server drew it, null where nothing was kept. */
export function useStored(key: string): [string | null | undefined, (value: string) => void] {
  const value = useSyncExternalStore<string | null | undefined>(
    subscribe,
    () => stored(key),
    () => undefined,
  );
  return [value, (next) => store(key, next)];
}
