"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { post, put } from "../client/browser";
import type { ApiError, Sent } from "../client/client";
import type { SavedView, ViewChangeRequest, ViewRequest } from "../contract/views";
import { ofPaths, query, refresh } from "./query";

/** Views of others change rarely; they are refetched when the page is opened again. */
const STALE_MS = 30_000;

/** One's own saved views, and those of the team. */
export const useSavedViews = () => useQuery({ ...query("/v1/views", {}), staleTime: STALE_MS });

type Of<Request> = Sent<Request> & { id: string };

export const useSaveView = () => useViewAct<Sent<ViewRequest>, SavedView>((sent) => post("/v1/views", {}, sent));

export const useChangeView = () =>
  useViewAct<Of<ViewChangeRequest>, SavedView>(({ id, ...sent }) => put("/v1/views/{id}", { id }, sent));

export const useDeleteView = () =>
  useViewAct<Of<{ revision: number }>, { done: true }>(({ id, ...sent }) =>
    post("/v1/views/{id}/deletion", { id }, sent),
  );

/** After a refusal, too: the view has changed meanwhile. */
function useViewAct<Variables, Answer>(act: (variables: Variables) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation<Answer, ApiError, Variables>({
    mutationFn: act,
    onSettled: () => refresh(queryClient, ofPaths("/v1/views")),
  });
}
