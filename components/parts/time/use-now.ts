"use client";

import { useSyncExternalStore } from "react";

const TICK_MS = 1_000;

// One clock for the whole page, so that two texts about one moment always agree.
const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}

/** Milliseconds since 1970, moving once a second; null while the page is as the server drew it. */
export const useNow = (): number | null => useFromNow((now) => now);

/** A value derived from the time: computed once a second, rendered when it has changed. */
export function useFromNow<Value extends string | number | null>(valueAt: (nowMs: number | null) => Value): Value {
  return useSyncExternalStore(
    subscribe,
    () => valueAt(nowMs),
    () => valueAt(null),
  );
}
