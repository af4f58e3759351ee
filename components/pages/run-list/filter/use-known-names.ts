"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { RunListItem } from "@/lib/api/contract/run";
import { problemsQuery, workflowsQuery } from "@/lib/api/hooks/queries";
import { namesIn } from "./suggest";

/** Names to choose from: registered, failing, and of the runs on the page. Requested once the user types. */
export function useKnownNames(runs: readonly RunListItem[], wanted: boolean) {
  const workflows = useQuery({ ...workflowsQuery(), enabled: wanted }).data?.workflows;
  const problems = useInfiniteQuery({ ...problemsQuery({}), enabled: wanted }).data?.problems;
  return useMemo(
    () =>
      namesIn({
        workflows: (workflows ?? []).map(({ name }) => name),
        runs,
        problems: problems ?? [],
      }),
    [workflows, problems, runs],
  );
}
