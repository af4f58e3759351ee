"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { post } from "../client/browser";
import type { ApiError, Sent } from "../client/client";
import type { PlanApproval, PlanApprovalAnswer, PlanApprovalRequest } from "../contract/plans";
import { overManyRuns, refresh } from "./query";

type OfPlan<Request> = Sent<Request> & { planId: string };

export const useRequestPlanApproval = () =>
  usePlanApproval(({ planId, ...sent }: OfPlan<PlanApprovalRequest>) =>
    post("/v1/plans/{planId}/approval", { planId }, sent),
  );

export const useAnswerPlanApproval = () =>
  usePlanApproval(({ planId, ...sent }: OfPlan<PlanApprovalAnswer>) =>
    post("/v1/plans/{planId}/approval/answer", { planId }, sent),
  );

function usePlanApproval<Variables>(send: (variables: Variables) => Promise<PlanApproval>) {
  const queryClient = useQueryClient();
  return useMutation<PlanApproval, ApiError, Variables>({
    mutationFn: send,
    // Not awaited: the dialog closes with the answer, before the pages are read again.
    onSettled: () => void refresh(queryClient, overManyRuns),
  });
}
