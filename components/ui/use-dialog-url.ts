"use client";

import { useSearchParams } from "next/navigation";
import { useMemo, useSyncExternalStore } from "react";

/** Of a window that the address says is open: which, of which thing of a list, on which part of it, and how. */
const FIELDS = ["act", "of", "on", "as"] as const;
type Opened = Record<(typeof FIELDS)[number], string | null>;

/** What a window is opened with. */
interface DialogDetail {
  on?: string | null | undefined;
  as?: string | null | undefined;
}

const watchers = new Set<() => void>();

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  addEventListener("popstate", watcher);
  return () => {
    watchers.delete(watcher);
    removeEventListener("popstate", watcher);
  };
}

/** At once: an address that is still to be written would take back a way to another page that is on its way by then. */
function write(opened: Opened, how: "pushState" | "replaceState"): void {
  const url = new URL(location.href);
  for (const field of FIELDS) {
    const value = opened[field];
    if (value === null) url.searchParams.delete(field);
    else url.searchParams.set(field, value);
  }
  if (url.href === location.href) return;
  history[how](null, "", url);
  for (const watcher of watchers) watcher();
}

/**
 * A window whose being open stands in the address, so that a link opens it and Back closes it. Opening is a step of the
 * history, closing is none.
 * @param names of the windows of this component
 * @param of the thing of a list that this component stands for; absent where the page is of one
 */
export function useDialogUrl<Name extends string>(names: readonly Name[], of?: string) {
  useSearchParams(); // so that it is drawn again when a link has led here
  const search = useSyncExternalStore(
    watch,
    () => location.search,
    () => "",
  );
  const url = useMemo(() => {
    const query = new URLSearchParams(search);
    return Object.fromEntries(FIELDS.map((field) => [field, query.get(field)])) as Opened;
  }, [search]);
  const isOurs = of === undefined || url.of === of;
  return {
    open: (isOurs && names.find((name) => name === url.act)) || null,
    of: url.of,
    on: url.on,
    as: url.as,
    show: (act: Name, { on = null, as = null }: DialogDetail = {}, thing: string | null = of ?? null) =>
      write({ act, of: thing, on, as }, "pushState"),
    close: () => write({ act: null, of: null, on: null, as: null }, "replaceState"),
  };
}
