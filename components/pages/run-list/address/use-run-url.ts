"use client";

import { useQueryStates } from "nuqs";
import { useMemo } from "react";
import { runUrl, sortedBy } from "@/components/domain/run-filter/run-url";
import { useDebounced } from "@/components/ui/hooks/use-debounced";
import { toRunFilter } from "@/lib/filters/run-filter";
import { pickedPaths } from "./column-url";

/** Short enough to feel at once, long enough that a pasted id is one question and a typed word not five. */
const TYPING_MS = 220;

const NO_FILTER = {
  q: null,
  status: null,
  attention: null,
  workflow: null,
  step: null,
  error: null,
  version: null,
  tag: null,
  since: null,
  until: null,
  took: null,
  where: null,
  not: null,
  problem: null,
};

/** The filters in the address, and the one that the list follows once typing pauses. */
export function useRunUrl() {
  const [url, setUrl] = useQueryStates(runUrl, { history: "replace" });
  const q = useDebounced(url.q, TYPING_MS);
  const filter = toRunFilter({ ...url, q });
  const not = url.not.filter((one) => !one.startsWith("status:"));
  const paths = useMemo(() => pickedPaths(url.cols), [url.cols]);
  return {
    url,
    paths,
    setUrl,
    filter,
    /** The filter has caught up with what is typed, and so has the address. */
    isSettled: q === url.q,
    /** The numbers on the chips: the same list, whatever its status. */
    countFilter: toRunFilter({ ...url, q, not, status: [], attention: [] }),
    sort: sortedBy(url.sort, filter),
    select: (runId: string | null, history: "push" | "replace" = "replace") => setUrl({ run: runId }, { history }),
    clear: () => setUrl(NO_FILTER),
  };
}
export type RunUrl = ReturnType<typeof useRunUrl>;
