"use client";

import { type InfiniteData, type QueryClient, type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { post } from "../client/browser";
import type { ApiError, Sent } from "../client/client";
import type {
  AnswerRequest,
  AssignmentRequest,
  IntakeClosureRequest,
  IntakeOpeningRequest,
  LimitsRequest,
  StartRunRequest,
  UnmaskingRequest,
} from "../contract/requests";
import type { CompensationListResponse, WorkflowView } from "../contract/responses";
import type { Run } from "../contract/run";
import { runQuery } from "./queries";
import { ofAnyRun, ofPaths, overManyRuns, refresh, refreshRuns } from "./query";

type OfStep<Request> = Sent<Request> & { step: string };

export const useStartRun = () => useAct((sent: Sent<StartRunRequest>) => post("/v1/runs", {}, sent));

/** Only the caller keeps the answer; the masked run stays in the shared cache. */
export function useUnmask(runId: string) {
  const queryClient = useQueryClient();
  return useMutation<Run, ApiError, Sent<UnmaskingRequest>>({
    mutationFn: (sent) => post("/v1/runs/{runId}/unmasking", { runId }, sent),
    gcTime: 0,
    onSettled: () => queryClient.invalidateQueries({ queryKey: runQuery(runId).queryKey }),
  });
}

/**
 * Updates the lists optimistically, since the change is harmless. It is rolled back when the server refuses or does not
 * answer.
 */
export function useAssign(runId: string) {
  const queryClient = useQueryClient();
  return useMutation<Run, ApiError, OfStep<AssignmentRequest>, CompensationLists>({
    mutationFn: ({ step, ...sent }) => post("/v1/runs/{runId}/compensations/{step}/assignment", { runId, step }, sent),
    onMutate: ({ step, request: { assignee } }) => {
      const lists = { predicate: ofPaths("/v1/compensations") };
      const before = queryClient.getQueriesData<InfiniteData<CompensationListResponse>>(lists);
      queryClient.setQueriesData<InfiniteData<CompensationListResponse>>(lists, (pages) =>
        handedOn(pages, { runId, step, assignee }),
      );
      return before;
    },
    onError: (_, __, before) => {
      for (const [queryKey, pages] of before ?? []) queryClient.setQueryData(queryKey, pages);
    },
    ...afterAct(queryClient),
  });
}

type CompensationLists = [QueryKey, InfiniteData<CompensationListResponse> | undefined][];

function handedOn(
  data: InfiniteData<CompensationListResponse> | undefined,
  { runId, step, assignee }: { runId: string; step: string; assignee: string | null },
): InfiniteData<CompensationListResponse> | undefined {
  return (
    data && {
      ...data,
      pages: data.pages.map((page) => ({
        ...page,
        compensations: page.compensations.map((one) =>
          one.runId === runId && one.step === step ? { ...one, compensation: { ...one.compensation, assignee } } : one,
        ),
      })),
    }
  );
}

export const useAnswerApproval = (runId: string) =>
  useAct(({ step, ...sent }: OfStep<AnswerRequest>) =>
    post("/v1/runs/{runId}/approvals/{step}/answer", { runId, step }, sent),
  );

export const useChangeLimits = (workflow: string) =>
  useWorkflowAct((sent: Sent<LimitsRequest>) => post("/v1/workflows/{workflow}/limits", { workflow }, sent));

export const useCloseIntake = (workflow: string) =>
  useWorkflowAct((sent: Sent<IntakeClosureRequest>) =>
    post("/v1/workflows/{workflow}/intake/closure", { workflow }, sent),
  );

export const useOpenIntake = (workflow: string) =>
  useWorkflowAct((sent: Sent<IntakeOpeningRequest>) =>
    post("/v1/workflows/{workflow}/intake/opening", { workflow }, sent),
  );

/** The pause of a workflow has changed: every read that shows one is refetched. */
function useWorkflowAct<Variables>(act: (variables: Variables) => Promise<WorkflowView>) {
  const queryClient = useQueryClient();
  return useMutation<WorkflowView, ApiError, Variables>({
    mutationFn: act,
    onSettled: () => refresh(queryClient, ofPaths("/v1/workflows"), ofAnyRun, overManyRuns),
  });
}

/** Shows the run from the server's answer at once, and refetches the lists that may contain it. */
function useAct<Variables>(act: (variables: Variables) => Promise<Run>) {
  const queryClient = useQueryClient();
  return useMutation<Run, ApiError, Variables>({ mutationFn: act, ...afterAct(queryClient) });
}

const afterAct = (queryClient: QueryClient) => ({
  onSuccess: (run: Run) => void queryClient.setQueryData(runQuery(run.id).queryKey, run),
  onSettled: () => refreshRuns(queryClient),
});
