"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ApiError, acts, type Sent } from "../client";
import type {
  AnswerRequest,
  AssignmentRequest,
  IntakeClosureRequest,
  IntakeOpeningRequest,
  LimitsRequest,
  StartRunRequest,
  UnmaskingRequest,
} from "../contract/requests";
import type { WorkflowView } from "../contract/responses";
import type { Run } from "../contract/run";
import { changingKeys, queryKeys } from "./query-keys";

type OfStep<Request> = Sent<Request> & { step: string };

export const useStartRun = () => useAct((sent: Sent<StartRunRequest>) => acts.startRun(sent));

/** What it answers with is kept by nobody but who asked; the masked run stays the one that others draw. */
export function useUnmask(runId: string) {
  const queryClient = useQueryClient();
  return useMutation<Run, ApiError, Sent<UnmaskingRequest>>({
    mutationFn: (sent) => acts.unmask(runId, sent),
    gcTime: 0,
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.run(runId) }),
  });
}

export const useAssign = (runId: string) =>
  useAct(({ step, ...sent }: OfStep<AssignmentRequest>) => acts.assign(runId, step, sent));

export const useAnswerApproval = (runId: string) =>
  useAct(({ step, ...sent }: OfStep<AnswerRequest>) => acts.answerApproval(runId, step, sent));

export const useChangeLimits = (workflow: string) =>
  useWorkflowAct((sent: Sent<LimitsRequest>) => acts.changeLimits(workflow, sent));

export const useCloseIntake = (workflow: string) =>
  useWorkflowAct((sent: Sent<IntakeClosureRequest>) => acts.closeIntake(workflow, sent));

export const useOpenIntake = (workflow: string) =>
  useWorkflowAct((sent: Sent<IntakeOpeningRequest>) => acts.openIntake(workflow, sent));

/** What holds a workflow's runs has changed: whatever shows one is asked for again. */
function useWorkflowAct<Variables>(act: (variables: Variables) => Promise<WorkflowView>) {
  const queryClient = useQueryClient();
  return useMutation<WorkflowView, ApiError, Variables>({
    mutationFn: act,
    onSettled: () =>
      Promise.all(
        [queryKeys.workflows(), ["run"], ...changingKeys].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

/** Shows the run as the server answered it at once, and asks again for the lists it may stand in. */
function useAct<Variables>(act: (variables: Variables) => Promise<Run>) {
  const queryClient = useQueryClient();
  return useMutation<Run, ApiError, Variables>({
    mutationFn: act,
    onSuccess: (run) => queryClient.setQueryData(queryKeys.run(run.id), run),
    // Also after a refusal: what it was decided on may no longer be true, and nobody else may say so.
    onSettled: () =>
      Promise.all([["run"], ...changingKeys].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}
