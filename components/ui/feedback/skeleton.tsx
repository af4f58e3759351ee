"use client";

import { createContext, type ReactNode, useContext } from "react";
import { classNames } from "@/lib/class-names";

/** A place that is being filled; size it like the content that will be there. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames("block animate-pulse rounded bg-gray-soft", className)} />;
}

/** What is shown where nothing can be loaded now; null: what waits is on its way. */
export const InsteadOfLoading = createContext<((what: string) => ReactNode) | null>(null);

/** Wraps skeletons: says once what they represent, and shows them only when the wait can be felt. */
export function Loading({ what, children, className }: { what: string; children: ReactNode; className?: string }) {
  const instead = useContext(InsteadOfLoading);
  if (instead) return <div role="status">{instead(what)}</div>;
  return (
    <div
      role="status"
      className={classNames("fade-in-0 animate-in fill-mode-backwards delay-150 duration-200", className)}
    >
      <span className="sr-only">Loading {what}</span>
      {children}
    </div>
  );
}
