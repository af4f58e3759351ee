"use client";

import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiError, operationActs, type Sent } from "../client";
import type {
  ExecutionRequest,
  Operation,
  OperationActRequest,
  OperationAndRuns,
  OperationItemListResponse,
  OperationListResponse,
  OperationRateRequest,
} from "../contract/operations";
import type { Plan, PlanItemListResponse, PlanRequest } from "../contract/plans";
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

/** What the act would do, as of when it was asked: it stays as it was looked at, whatever changes, until it is asked for anew. */
export const usePlan = (request: PlanRequest) =>
  useQuery<Plan, ApiError>({
    queryKey: queryKeys.plan(request),
    queryFn: ({ signal }) => operationActs.plan(request, { signal }),
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
