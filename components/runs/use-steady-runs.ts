"use client";

import { useState } from "react";
import type { RunFilter } from "@/lib/api/contract/requests";
import type { RunListItem } from "@/lib/api/contract/run";
import { useRuns } from "@/lib/api/hooks/read-hooks";
import type { RunSort } from "@/lib/engine/run";
import { runsAsked } from "./run-url";

interface Opened {
  key: string;
  /** Ids rise with time: what is beyond the newest of the first answer arrived while somebody was reading. */
  newestId: string | null;
}

/** The list, patched in place; newer runs wait until they are asked for, so that no row jumps from under a pointer. */
export function useSteadyRuns({ filter, paths, sort }: { filter: RunFilter; paths: string[]; sort: RunSort }) {
  const query = useRuns(runsAsked(filter, paths, sort));
  const key = JSON.stringify([filter, sort]);
  const [opened, setOpened] = useState<Opened>({ key: "", newestId: null });
  const runs = query.data?.runs ?? [];
  const newestId = runs[0]?.id ?? null;

  const answered = query.data !== undefined && !query.isPlaceholderData;
  if (answered && opened.key !== key) setOpened({ key, newestId });

  // In another order, new runs do not come in above what somebody reads.
  const { shown, held } = splitAtNewest(runs, sort === "newest" && opened.key === key ? opened.newestId : null);
  return { query, runs: shown, held, showHeld: () => setOpened({ key, newestId }) };
}

/** `held`: how many are newer than `newestId`; without it, or with nothing older to protect, everything is shown. */
export function splitAtNewest(runs: RunListItem[], newestId: string | null): { shown: RunListItem[]; held: number } {
  if (newestId === null) return { shown: runs, held: 0 };
  const shown = runs.filter((run) => run.id <= newestId);
  return shown.length === 0 ? { shown: runs, held: 0 } : { shown, held: runs.length - shown.length };
}
