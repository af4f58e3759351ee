"use client";

import { skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { post, read } from "../client/browser";
import { ApiError, type Sent } from "../client/client";
import type {
  Execution,
  ExecutionRequest,
  Operation,
  OperationActRequest,
  OperationAndRuns,
  OperationRateRequest,
  OperationResumptionRequest,
} from "../contract/operations";
import type { Plan, PlanRequest } from "../contract/plans";
import type { Run } from "../contract/run";
import { operationQuery, runQuery } from "./queries";
import { ofPaths, overManyRuns, refresh, refreshRuns } from "./query";

/**
 * The plan of the action as of the time of the request: it stays as previewed until it is requested again.
 * @param request null while there is nothing to plan
 * @param seen what the person decides on; another value makes another plan
 */
export const usePlan = (request: PlanRequest | null, seen = "") =>
  useQuery<Plan, ApiError>({
    queryKey: ["plan", request, seen],
    queryFn: request === null ? skipToken : ({ signal }) => post("/v1/plans", {}, { request, signal }),
    staleTime: "static",
    gcTime: 0,
    retry: false,
  });

export const useExecution = () =>
  useChange(({ planId, ...sent }: Sent<ExecutionRequest> & { planId: string }) =>
    post("/v1/plans/{planId}/executions", { planId }, sent),
  );

/** Executes a plan of one run. Returns the run's new state; a failure is an error, as for any action. */
export function useRunExecution(runId: string) {
  const queryClient = useQueryClient();
  return useMutation<Run, ApiError, Sent<ExecutionRequest> & { planId: string }>({
    mutationFn: async ({ planId, ...sent }) => {
      const { item } = await post("/v1/plans/{planId}/executions", { planId }, sent);
      if (item && item.outcome !== "done") throw cameToNothing(item);
      return read("/v1/runs/{runId}", { runId });
    },
    onSuccess: (run) => void queryClient.setQueryData(runQuery(run.id).queryKey, run),
    onSettled: () => refreshRuns(queryClient),
  });
}

const cameToNothing = ({ outcome, because }: NonNullable<Execution["item"]>) =>
  new ApiError(outcome === "not_eligible" ? "not_allowed" : "changed", because ?? "It came to nothing.", 409);

export type PlainOperationAct = "pause" | "resume" | "abort";

export const useOperationAct = (id: string, act: PlainOperationAct) =>
  useChange((sent: Sent<OperationActRequest>) => sendOperationAct(id, act, sent));

const PATHS = {
  pause: "/v1/operations/{operationId}/pause",
  resume: "/v1/operations/{operationId}/resumption",
  abort: "/v1/operations/{operationId}/abortion",
} as const;

/** `undo` is for `resume` alone. */
export const sendOperationAct = (operationId: string, act: PlainOperationAct, sent: Sent<OperationResumptionRequest>) =>
  post(PATHS[act], { operationId }, sent);

export const useOperationRate = (id: string) =>
  useChange((sent: Sent<OperationRateRequest>) => post("/v1/operations/{operationId}/rate", { operationId: id }, sent));

function useChange<Variables, Answer extends Operation>(act: (variables: Variables) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation<Answer, ApiError, Variables>({
    mutationFn: act,
    onSuccess: (operation) =>
      queryClient.setQueryData<OperationAndRuns>(
        operationQuery(operation.id).queryKey,
        (before) => before && { ...before, ...operation },
      ),
    onSettled: () => refresh(queryClient, ofPaths("/v1/operations/{operationId}/items"), overManyRuns),
  });
}
