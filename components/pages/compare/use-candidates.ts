"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import type { Run, RunListItem } from "@/lib/api/contract/run";
import { runsQuery } from "@/lib/api/hooks/queries";

export interface Candidates {
  /** Of the same workflow, newest first, without the run itself. */
  recent: RunListItem[];
  /** The last one that completed before this one was made; else the last completed; else the last. */
  best: string | null;
  isReady: boolean;
}

/** Runs to compare a run with: one page of recent ones, and one of those that completed before this run. */
export function useCandidates(run: Run): Candidates {
  const workflow = [run.workflow];
  const recent = useInfiniteQuery(runsQuery({ workflow }));
  const before = useInfiniteQuery(runsQuery({ workflow, status: ["completed"], createdBefore: run.createdAt }));
  const others = (recent.data?.runs ?? []).filter(({ id }) => id !== run.id);
  const completed = (before.data?.runs ?? []).filter(({ id }) => id !== run.id);
  const best = completed[0] ?? others.find(({ status }) => status === "completed") ?? others[0];
  const known = new Set(others.map(({ id }) => id));
  const isReady = !recent.isPending && !before.isPending;
  return {
    recent: [...others, ...completed.filter(({ id }) => !known.has(id)).slice(0, 1)],
    best: isReady ? (best?.id ?? null) : null,
    isReady,
  };
}
