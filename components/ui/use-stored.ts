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

/** Storage may be switched off; then nothing is remembered, and everything else goes on. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
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
    () => read(key),
    () => undefined,
  );
  return [value, (next) => write(key, next)];
}
