"use client";

import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiError, operationActs, reads, type Sent } from "../client";
import type {
  Plan,
  PlanApproval,
  PlanApprovalAnswer,
  PlanApprovalListResponse,
  PlanApprovalRequest,
} from "../contract/plans";
import { planApprovalsQuery } from "./queries";
import { changingKeys, queryKeys } from "./query-keys";

/** Plans that wait for a second person or have their yes, longest first, page by page. */
export const usePlanApprovals = () => useInfiniteQuery({ ...planApprovalsQuery(), select: allApprovals });

const allApprovals = ({ pages }: InfiniteData<PlanApprovalListResponse>) => pages.flatMap((page) => page.planApprovals);

/** A plan that somebody has made; of what stands in it only its approval changes. */
export const useStoredPlan = (planId: string) =>
  useQuery<Plan, ApiError>({
    queryKey: queryKeys.storedPlan(planId),
    queryFn: ({ signal }) => reads.plan(planId, { signal }),
  });

type OfPlan<Request> = Sent<Request> & { planId: string };

export const useRequestApproval = () =>
  useApproval(({ planId, ...sent }: OfPlan<PlanApprovalRequest>) => operationActs.requestApproval(planId, sent));

export const useAnswerRequest = () =>
  useApproval(({ planId, ...sent }: OfPlan<PlanApprovalAnswer>) => operationActs.answerApproval(planId, sent));

function useApproval<Variables>(act: (variables: Variables) => Promise<PlanApproval>) {
  const queryClient = useQueryClient();
  return useMutation<PlanApproval, ApiError, Variables>({
    mutationFn: act,
    onSettled: () => Promise.all(changingKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}
