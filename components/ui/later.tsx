"use client";

import { type ComponentType, lazy, Suspense } from "react";

/**
 * A part of the page that nobody sees at first, such as a dialog: its code is not among what the page has to load before it
 * can be used, but comes when the browser has nothing else to do, so that it is there when it is asked for.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Part: ComponentType<Props> = lazy(async () => ({ default: await load() }));
  if (typeof requestIdleCallback === "function") requestIdleCallback(() => load().catch(() => undefined));
  return function Later(props: Props) {
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    );
  };
}
