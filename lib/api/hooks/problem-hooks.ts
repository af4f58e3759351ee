"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ProblemAct } from "../../engine/problems/problem";
import { type ApiError, type PathOf, post, type RequestOf, type Sent } from "../client/client";
import type { ProblemDetail } from "../contract/problems";
import { problemQuery } from "./queries";
import { ofPaths, refresh } from "./query";

const PATHS = {
  probe: "/v1/problems/{problemId}/probes",
  stop_probe: "/v1/problems/{problemId}/probes/end",
  assign: "/v1/problems/{problemId}/assignment",
  note: "/v1/problems/{problemId}/notes",
  mute: "/v1/problems/{problemId}/mute",
  resolve: "/v1/problems/{problemId}/resolution",
  reopen: "/v1/problems/{problemId}/reopening",
} as const satisfies Record<ProblemAct, PathOf<"POST">>;

type ProblemRequest<Act extends ProblemAct> = Sent<RequestOf<"POST", (typeof PATHS)[Act]>>;

export const sendProblemAct = <Act extends ProblemAct>(problemId: string, act: Act, sent: ProblemRequest<Act>) =>
  post(PATHS[act as ProblemAct], { problemId }, sent as ProblemRequest<ProblemAct>);

/** Shows the problem from the server's answer at once, and refetches the lists that may contain it. */
export function useProblemAct<Act extends ProblemAct>(id: string, act: Act) {
  const queryClient = useQueryClient();
  return useMutation<ProblemDetail, ApiError, ProblemRequest<Act>>({
    mutationFn: (sent) => sendProblemAct(id, act, sent),
    onSuccess: (problem) => void queryClient.setQueryData(problemQuery(id).queryKey, problem),
    onSettled: () =>
      refresh(
        queryClient,
        ofPaths("/v1/problems", "/v1/problems/{problemId}", "/v1/problems/{problemId}/tried", "/v1/overview"),
      ),
  });
}
