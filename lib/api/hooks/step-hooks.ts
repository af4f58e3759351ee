"use client";

import { type InfiniteData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { hasEnded } from "../../engine/run";
import type { Run } from "../contract/run";
import type { StepListResponse } from "../contract/steps";
import { stepQuery, stepsQuery } from "./queries";

/** Every step of a run that has more than came with it, page after page by itself; nothing is asked for a run that is whole. */
export function useSteps(run: Run) {
  const live = !hasEnded(run.status);
  const as = live ? `${run.generation}` : `${run.generation} ${run.revision}`;
  const query = useInfiniteQuery({
    ...stepsQuery(run.id, { as, live }),
    enabled: run.stepsLeftOut > 0,
    select: allSteps,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return query;
}

const allSteps = ({ pages }: InfiniteData<StepListResponse>) => pages.flatMap((page) => page.steps);

/** The records of one step, whole; asked for only where the run came without them. */
export const useStep = (run: Run, name: string | null) =>
  useQuery({
    ...stepQuery(run.id, name ?? ""),
    enabled: name !== null && run.stepsLeftOut > 0,
  });
