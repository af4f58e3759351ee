"use client";

import { useQueryStates } from "nuqs";
import { useMemo } from "react";
import type { RunFilter } from "@/lib/api/contract/requests";
import { useSettled } from "../ui/use-settled";
import { pickedPaths } from "./column-url";
import { runUrl, toRunFilter } from "./run-url";

/** Short enough to feel at once, long enough that a pasted id is one question and a typed word not five. */
const TYPING_MS = 220;

/** The filters in the address, and the one that the list follows once typing pauses. */
export function useRunUrl() {
  const [url, setUrl] = useQueryStates(runUrl, { history: "replace" });
  const settledQ = useSettled(url.q, TYPING_MS);
  const { status, attention, workflow, problem } = url;
  const filter = useMemo<RunFilter>(
    () => toRunFilter({ q: settledQ, status, attention, workflow, problem }),
    [settledQ, status, attention, workflow, problem],
  );
  /** The numbers on the chips: the same list, whatever its status. */
  const countFilter = useMemo<RunFilter>(
    () => toRunFilter({ q: settledQ, status: [], attention: [], workflow, problem }),
    [settledQ, workflow, problem],
  );
  const paths = useMemo(() => pickedPaths(url.cols), [url.cols]);
  return {
    url,
    paths,
    setUrl,
    filter,
    countFilter,
    select: (runId: string | null) => setUrl({ run: runId }),
    clear: () => setUrl({ q: null, status: null, attention: null, workflow: null, problem: null }),
  };
}
export type RunUrl = ReturnType<typeof useRunUrl>;
