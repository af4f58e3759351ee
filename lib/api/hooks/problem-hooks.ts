"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ProblemAct } from "../../engine/problems/problem";
import { post } from "../client/browser";
import type { ApiError, PathOf, RequestOf, Sent } from "../client/client";
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
  watch: "/v1/problems/{problemId}/watch",
  unwatch: "/v1/problems/{problemId}/watch/end",
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
    onSettled: () => refresh(queryClient, ofProblems),
  });
}

const ofProblems = ofPaths(
  "/v1/problems",
  "/v1/problems/{problemId}",
  "/v1/problems/{problemId}/tried",
  "/v1/overview",
);

/** Takes off the mark of a watched problem that is on the screen, up to what is shown of its history. */
export function useMarkSeen({ id, watch, history }: ProblemDetail): void {
  const queryClient = useQueryClient();
  const entry = watch?.change ? history[0]?.id : undefined;
  useEffect(() => {
    if (entry === undefined) return;
    const markIfVisible = () => {
      // Nobody looks at a page in a tab behind another.
      if (document.visibilityState !== "visible") return;
      document.removeEventListener("visibilitychange", markIfVisible);
      // After a failure the mark stays until the page is opened again.
      void post("/v1/problems/{problemId}/watch/seen", { problemId: id }, { request: { entry } }).then(
        () => refresh(queryClient, ofProblems),
        () => undefined,
      );
    };
    document.addEventListener("visibilitychange", markIfVisible);
    markIfVisible();
    return () => document.removeEventListener("visibilitychange", markIfVisible);
  }, [id, entry, queryClient]);
}
