"use client";

import { useEffect, useMemo } from "react";
import { store, stored, useStored } from "@/components/ui/hooks/use-stored";
import { useMe } from "@/lib/api/hooks/access-hooks";

export interface Recent {
  href: string;
  label: string;
}

/** Stored in this browser only, together with its user: the next user who signs in sees none of it. */
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
    return []; // nothing was stored, or nothing valid
  }
}

/** What the viewer has visited, latest first. */
export function useRecent(): Recent[] {
  const [text] = useStored(KEY);
  const who = useMe().data?.name;
  return useMemo(() => read(text, who), [text, who]);
}

/** Adds the current thing to the recent ones. */
export function useRemember(href: string, label: string): void {
  const who = useMe().data?.name;
  useEffect(() => {
    if (who === undefined) return;
    const others = read(stored(KEY), who).filter((one) => one.href !== href);
    store(KEY, JSON.stringify({ who, recent: [{ href, label }, ...others].slice(0, MOST) } satisfies Kept));
  }, [href, label, who]);
}

/** Called at sign-out. */
export const forgetRecent = () => store(KEY, "");
