"use client";

import {
  type InfiniteData,
  skipToken,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { ApiError, operationActs, reads, type Sent } from "../client";
import type {
  Execution,
  ExecutionRequest,
  Operation,
  OperationActRequest,
  OperationAndRuns,
  OperationItemListResponse,
  OperationListResponse,
  OperationRateRequest,
} from "../contract/operations";
import type { Plan, PlanItemListResponse, PlanRequest } from "../contract/plans";
import type { Run } from "../contract/run";
import { operationItemsQuery, operationQuery, operationsQuery, planItemsQuery } from "./queries";
import { changingKeys, queryKeys } from "./query-keys";

/** Newest first, page by page. */
export const useOperations = () => useInfiniteQuery({ ...operationsQuery(), select: allOperations });

const allOperations = ({ pages }: InfiniteData<OperationListResponse>) => pages.flatMap((page) => page.operations);

export const useOperation = (id: string) => useQuery(operationQuery(id));

/** `live`: items are still being carried out, or their runs are under way. */
export const useOperationItems = (id: string, list: "all" | "others", live: boolean) =>
  useInfiniteQuery({ ...operationItemsQuery(id, list, live), select: allItems });

const allItems = ({ pages }: InfiniteData<OperationItemListResponse>) => pages.flatMap((page) => page.items);

/**
 * What the act would do, as of when it was asked: it stays as it was looked at, whatever changes, until it is asked for anew.
 * @param request null as long as there is nothing to plan
 * @param seen what the person decides on; with another value the plan is another one
 */
export const usePlan = (request: PlanRequest | null, seen = "") =>
  useQuery<Plan, ApiError>({
    queryKey: [...queryKeys.plan(request), seen],
    queryFn: request === null ? skipToken : ({ signal }) => operationActs.plan(request, { signal }),
    staleTime: "static",
    gcTime: 0,
    retry: false,
  });

/** A page at a time; a plan does not change. */
export const usePlanItems = (planId: string, list: "all" | "included" | "left_out") =>
  useInfiniteQuery({ ...planItemsQuery(planId, list), select: allPlanItems });

const allPlanItems = ({ pages }: InfiniteData<PlanItemListResponse>) => pages.flatMap((page) => page.items);

export const useExecution = () =>
  useChange(({ planId, ...sent }: Sent<ExecutionRequest> & { planId: string }) => operationActs.execute(planId, sent));

/** Carries out a plan of one run. Answers with the run as it stands after; what came to nothing is an error, as of any act. */
export function useRunExecution(runId: string) {
  const queryClient = useQueryClient();
  return useMutation<Run, ApiError, Sent<ExecutionRequest> & { planId: string }>({
    mutationFn: async ({ planId, ...sent }) => {
      const { item } = await operationActs.execute(planId, sent);
      if (item && item.outcome !== "done") throw cameToNothing(item);
      return reads.run(runId);
    },
    onSuccess: (run) => queryClient.setQueryData(queryKeys.run(run.id), run),
    // Also after a refusal: what it was decided on may no longer be true, and nobody else may say so.
    onSettled: () =>
      Promise.all([["run"], ...changingKeys].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}

const cameToNothing = ({ outcome, because }: NonNullable<Execution["item"]>) =>
  new ApiError(outcome === "not_eligible" ? "not_allowed" : "changed", because ?? "It came to nothing.", 409);

export type PlainOperationAct = "pause" | "resume" | "abort";

export const useOperationAct = (id: string, act: PlainOperationAct) =>
  useChange((sent: Sent<OperationActRequest>) => operationActs[act](id, sent));

export const useOperationRate = (id: string) =>
  useChange((sent: Sent<OperationRateRequest>) => operationActs.changeRate(id, sent));

function useChange<Variables, Answer extends Operation>(act: (variables: Variables) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation<Answer, ApiError, Variables>({
    mutationFn: act,
    onSuccess: (operation) =>
      queryClient.setQueryData<OperationAndRuns>(
        queryKeys.operation(operation.id),
        (before) => before && { ...before, ...operation },
      ),
    onSettled: () =>
      Promise.all(
        [["operation-items"], ...changingKeys].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  });
}
