"use client";

import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ApiError, Sent } from "../client";
import { problemActs } from "../client-problems";
import type { ProblemDetail, ProblemFilter, ProblemListResponse } from "../contract/problems";
import { problemQuery, problemsQuery } from "./queries";
import { queryKeys } from "./query-keys";

/** Latest first, page by page. */
export const useProblems = (filter: ProblemFilter) =>
  useInfiniteQuery({ ...problemsQuery(filter), select: allProblems });

const allProblems = ({ pages }: InfiniteData<ProblemListResponse>) => ({
  problems: pages.flatMap((page) => page.problems),
  behindMs: pages[0]?.behindMs ?? 0,
});

export const useProblem = (id: string) => useQuery(problemQuery(id));

export type ProblemActs = typeof problemActs;
type Request<Act extends keyof ProblemActs> = Parameters<ProblemActs[Act]>[1];

/** Shows the problem as the server answered it at once, and asks again for the lists it may stand in. */
export function useProblemAct<Act extends keyof ProblemActs>(id: string, act: Act) {
  const queryClient = useQueryClient();
  const send = problemActs[act] as (id: string, sent: Sent<unknown>) => Promise<ProblemDetail>;
  return useMutation<ProblemDetail, ApiError, Request<Act>>({
    mutationFn: (sent) => send(id, sent),
    onSuccess: (problem) => queryClient.setQueryData(queryKeys.problem(id), problem),
    onSettled: () =>
      Promise.all([["problems"], ["overview"]].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}
