"use client";

import { type UseQueryResult, useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { hasEnded } from "../../engine/runs/run";
import type { Run } from "../contract/run";
import type { DrawnStep } from "../contract/steps";
import { nestedStepsQuery, runQuery, stepQuery, stepsQuery } from "./queries";

/** Several runs, one request each. */
export const useRunsById = (runIds: readonly string[]) =>
  useQueries({ queries: runIds.map((runId) => runQuery(runId)), combine: runsOrNot });

const runsOrNot = (answers: UseQueryResult<Run>[]) =>
  answers.map(({ data, isError, refetch }) => ({
    run: data ?? null,
    failed: isError,
    retry: () => void refetch(),
  }));

/** All steps of a run, loading the pages beyond those that came with it; requests nothing for a complete run. */
export function useSteps(run: Run) {
  const query = useInfiniteQuery({ ...stepsQuery(run.id, stateOf(run)), enabled: run.stepsLeftOut > 0 });
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return query;
}

/** What invalidates the steps of a run: while it runs, only a new generation does. */
function stateOf(run: Run): { as: string; live: boolean } {
  const live = !hasEnded(run.status);
  return { live, as: live ? `${run.generation}` : `${run.generation} ${run.revision}` };
}

/** All steps of several runs, loading the pages beyond those that came with them. */
export const useNestedSteps = (runs: readonly Run[]) =>
  useQueries({ queries: runs.map((run) => nestedStepsQuery(run.id, stateOf(run))), combine: stepsOrNot });

const stepsOrNot = (answers: UseQueryResult<{ steps: DrawnStep[] }>[]) =>
  answers.map(({ data, isError, refetch }) => ({
    steps: data?.steps,
    failed: isError,
    retry: () => void refetch(),
  }));

/** The complete records of one step; requested only when the run came without them. */
export const useStep = (run: Run, name: string | null) =>
  useQuery({
    ...stepQuery(run.id, name ?? ""),
    enabled: name !== null && run.stepsLeftOut > 0,
  });
