"use client";

import { useEffect, useMemo } from "react";
import { useMe } from "@/lib/api/hooks/access-hooks";
import { store, stored, useStored } from "../ui/hooks/use-stored";

export interface Recent {
  href: string;
  label: string;
}

/** Kept by this browser alone, with whose it is: who signs in next is told of nothing. */
const KEY = "handrail.recent";
const MOST = 8;

interface Kept {
  who: string;
  recent: Recent[];
}

function read(text: string | null | undefined, who: string | undefined): Recent[] {
  try {
    const kept = JSON.parse(text ?? "") as Kept;
    return kept.who === who ? kept.recent : [];
  } catch {
    return []; // nothing was kept, or nothing of ours
  }
}

/** What the viewer has looked at, the latest first. */
export function useRecent(): Recent[] {
  const [text] = useStored(KEY);
  const who = useMe().data?.name;
  return useMemo(() => read(text, who), [text, who]);
}

/** The thing in view is among the recent ones from now on. */
export function useRemember(href: string, label: string): void {
  const who = useMe().data?.name;
  useEffect(() => {
    if (who === undefined) return;
    const others = read(stored(KEY), who).filter((one) => one.href !== href);
    store(KEY, JSON.stringify({ who, recent: [{ href, label }, ...others].slice(0, MOST) } satisfies Kept));
  }, [href, label, who]);
}

/** For whoever signs out. */
export const forgetRecent = () => store(KEY, "");
