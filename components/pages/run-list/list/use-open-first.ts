"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import type { RunUrl } from "../address/use-run-url";
import type { useSteadyRuns } from "./use-steady-runs";

/**
 * Opens the first run of the list of a text. Waits until the list is of that text: Enter may come before its answer, and the first
 * run of the list before is another one. A text that is changed meanwhile opens nothing.
 */
export function useOpenFirst(
  { url, isSettled }: Pick<RunUrl, "url" | "isSettled">,
  { query, runs }: Pick<ReturnType<typeof useSteadyRuns>, "query" | "runs">,
): (text: string) => void {
  const router = useRouter();
  const [asked, setAsked] = useState<string | null>(null);
  const isAnswered = isSettled && query.data !== undefined && !query.isPlaceholderData;
  const first = runs[0]?.id;
  useEffect(() => {
    if (asked === null || !isAnswered) return;
    setAsked(null);
    if (asked === url.q && first) router.push(`/runs/${first}`);
  }, [asked, url.q, isAnswered, first, router]);
  return setAsked;
}
