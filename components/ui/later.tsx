"use client";

import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from "react";

/** A page with many changes is rarely idle for long. */
const LATEST_MS = 2_000;

/**
 * Code that a page does not need at first, such as that of dialogs: it is not among what has to be there before the page can be
 * used, but comes when the browser has nothing else to do, so that it is there when it is asked for.
 */
export class Later<Code> {
  private loading: Promise<void> | undefined;
  private code: Code | undefined;
  private readonly heard = new Set<() => void>();

  constructor(private readonly fetchCode: () => Promise<Code>) {
    if (typeof requestIdleCallback === "function") requestIdleCallback(this.load, { timeout: LATEST_MS });
  }

  /** If it fails to load, the next use tries again. */
  readonly load = (): void => {
    this.loading ??= this.fetchCode().then(
      (code) => {
        this.code = code;
        for (const tell of this.heard) tell();
      },
      () => {
        this.loading = undefined;
      },
    );
  };

  private readonly subscribe = (tell: () => void) => {
    this.heard.add(tell);
    return () => this.heard.delete(tell);
  };

  /** Undefined until it is there, and while the server draws. */
  useCode(): Code | undefined {
    return useSyncExternalStore(
      this.subscribe,
      () => this.code,
      () => undefined,
    );
  }
}

/** A component whose code comes later. Before it is there, `waiting` keeps its place. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
): ComponentType<Props> {
  const part = new Later(load);
  return function Part(props: Props) {
    const Drawn = part.useCode();
    useEffect(part.load, []);
    return Drawn ? <Drawn {...props} /> : waiting;
  };
}
