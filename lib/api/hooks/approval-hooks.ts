"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { post } from "../client/browser";
import type { ApiError, Sent } from "../client/client";
import type { PlanApproval, PlanApprovalAnswer, PlanApprovalRequest } from "../contract/plans";
import { overManyRuns, refresh } from "./query";

type OfPlan<Request> = Sent<Request> & { planId: string };

export const useRequestApproval = () =>
  useApproval(({ planId, ...sent }: OfPlan<PlanApprovalRequest>) =>
    post("/v1/plans/{planId}/approval", { planId }, sent),
  );

export const useAnswerRequest = () =>
  useApproval(({ planId, ...sent }: OfPlan<PlanApprovalAnswer>) =>
    post("/v1/plans/{planId}/approval/answer", { planId }, sent),
  );

function useApproval<Variables>(act: (variables: Variables) => Promise<PlanApproval>) {
  const queryClient = useQueryClient();
  return useMutation<PlanApproval, ApiError, Variables>({
    mutationFn: act,
    // Not waited for: the window closes with the answer.
    onSettled: () => void refresh(queryClient, overManyRuns),
  });
}
