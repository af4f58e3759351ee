"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { COUNT_CAP } from "@/lib/api/contract/caps";
import { overviewQuery } from "@/lib/api/hooks/queries";
import { formatCount } from "@/lib/format";
import { DESTINATIONS } from "./destinations";

/** The prefix of a title while runs need attention. */
export const TAB_MARK = /^● \S+ · /;

let ownTitle: string | null = null;
const watchers = new Set<() => void>();

function setOwnTitle(title: string | null): void {
  ownTitle = title;
  for (const watcher of watchers) watcher();
}

/** For the page of one thing: the tab's title, such as its status, while the page is open. */
export function useTabTitle(title: string): void {
  useEffect(() => {
    setOwnTitle(title);
    return () => setOwnTitle(null);
  }, [title]);
}

const watch = (watcher: () => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

/** As a document normalizes its title: a run's name may contain line breaks and runs of spaces. */
const asTitle = (text: string) => text.replace(/[\t\n\f\r ]+/g, " ").trim();

/** Shows in the tab's title how many runs need attention, and as a dot on its icon. */
export function TabState() {
  const overview = useQuery(overviewQuery()).data;
  const waiting = overview ? (DESTINATIONS[0].waiting?.(overview) ?? 0) : 0;
  const marked = waiting > 0;
  const own = useSyncExternalStore(
    watch,
    () => ownTitle,
    () => null,
  );
  useEffect(() => {
    const mark = waiting > 0 ? `● ${formatCount(waiting, COUNT_CAP)} · ` : "";
    const apply = () => {
      const plain = own === null ? document.title.replace(TAB_MARK, "") : `${own} · Handrail`;
      // Between two pages there is none; the mark alone would be what a screen reader says of the new page.
      if (plain === "") return;
      const wanted = asTitle(mark + plain);
      if (document.title !== wanted) document.title = wanted;
      titles.takeRecords(); // ignores our own writes: if the title reads back differently, it would be written forever
    };
    // The framework may write the page's title at any time, after us.
    const titles = new MutationObserver(apply);
    apply();
    titles.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => titles.disconnect();
  }, [waiting, own]);
  useEffect(() => {
    if (!marked) return;
    const icon = document.createElement("link");
    Object.assign(icon, { rel: "icon", type: "image/svg+xml", href: MARKED_ICON });
    document.head.append(icon);
    return () => icon.remove();
  }, [marked]);
  return null;
}

/** As app/icon.svg, with a dot. Colors are literal: a tab has none of the page's. */
const MARKED_ICON = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" fill="none"><path d="M2 17.5h4v-4h4v-4h4v-4h4" stroke="#8a8a96" stroke-width="1.8"/><path d="M2 12 13 1.5" stroke="#6d6ce0" stroke-width="2.6" stroke-linecap="round"/><circle cx="15.5" cy="15" r="4.5" fill="#d92d3a"/></svg>`,
)}`;
