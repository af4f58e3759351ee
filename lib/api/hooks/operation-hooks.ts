"use client";

import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiError, operationActs, type Sent } from "../client";
import type {
  ExecutionRequest,
  Operation,
  OperationActRequest,
  OperationItemListResponse,
  OperationListResponse,
  OperationRateRequest,
} from "../contract/operations";
import type { Plan, PlanRequest } from "../contract/plans";
import { operationItemsQuery, operationQuery, operationsQuery } from "./queries";
import { changingKeys, queryKeys } from "./query-keys";

/** Newest first, page by page. */
export const useOperations = () => useInfiniteQuery({ ...operationsQuery(), select: allOperations });

const allOperations = ({ pages }: InfiniteData<OperationListResponse>) => pages.flatMap((page) => page.operations);

export const useOperation = (id: string) => useQuery(operationQuery(id));

export const useOperationItems = (id: string, list: "all" | "others") =>
  useInfiniteQuery({ ...operationItemsQuery(id, list), select: allItems });

const allItems = ({ pages }: InfiniteData<OperationItemListResponse>) => pages.flatMap((page) => page.items);

/** Changes nothing that is shown. */
export const usePlan = () => useMutation<Plan, ApiError, Sent<PlanRequest>>({ mutationFn: operationActs.plan });

export const useExecution = () =>
  useChange(({ planId, ...sent }: Sent<ExecutionRequest> & { planId: string }) => operationActs.execute(planId, sent));

export type PlainOperationAct = "pause" | "resume" | "abort";

export const useOperationAct = (id: string, act: PlainOperationAct) =>
  useChange((sent: Sent<OperationActRequest>) => operationActs[act](id, sent));

export const useOperationRate = (id: string) =>
  useChange((sent: Sent<OperationRateRequest>) => operationActs.changeRate(id, sent));

function useChange<Variables>(act: (variables: Variables) => Promise<Operation>) {
  const queryClient = useQueryClient();
  return useMutation<Operation, ApiError, Variables>({
    mutationFn: act,
    onSuccess: (operation) => queryClient.setQueryData(queryKeys.operation(operation.id), operation),
    onSettled: () =>
      Promise.all(
        [queryKeys.operations(), ...changingKeys].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  });
}
