"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useMemo, useSyncExternalStore } from "react";

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

/** At once: a delayed URL update would cancel a navigation that has started by then. */
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

/** Opens a window that another component draws. @param thing of a list that it is about */
export const showWindow = (act: string, { on = null, as = null }: DialogDetail = {}, thing: string | null = null) =>
  write({ act, of: thing, on, as }, "pushState");

const hideWindow = () => write({ act: null, of: null, on: null, as: null }, "replaceState");

function saysOpen(act: string, of: string | null): boolean {
  const query = new URLSearchParams(location.search);
  return query.get("act") === act && query.get("of") === of;
}

/** How many components draw a window: what moves from one list to another is gone and there again at once. */
const drawn = new Map<string, number>();

/** Where what draws a window goes while it is open, as a row does that has left its list, the address says so before anybody can follow a link. */
function useNoWindowLeftBehind(act: string | null, of: string | null): void {
  useEffect(() => {
    if (act === null) return;
    const key = JSON.stringify([act, of]);
    const page = location.pathname;
    drawn.set(key, (drawn.get(key) ?? 0) + 1);
    return () => {
      drawn.set(key, (drawn.get(key) ?? 0) - 1);
      queueMicrotask(() => {
        if (drawn.get(key) === 0 && location.pathname === page && saysOpen(act, of)) hideWindow();
      });
    };
  }, [act, of]);
}

/**
 * A window whose open state is in the URL, so that a link opens it and Back closes it. Opening adds a step to the
 * history, closing adds none. For the component that draws the window; a mere button takes {@link showWindow}.
 * @param names of the windows of this component
 * @param of the item of a list that this component represents; absent where it draws those of all
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
  const open = (isOurs && names.find((name) => name === url.act)) || null;
  useNoWindowLeftBehind(open, url.of);
  return {
    open,
    of: url.of,
    on: url.on,
    as: url.as,
    show: (act: Name, detail: DialogDetail = {}, thing: string | null = of ?? null) => showWindow(act, detail, thing),
    // Not whichever is open by now: an action's answer may arrive after its own window has closed.
    close: () => open !== null && saysOpen(open, url.of) && hideWindow(),
  };
}
