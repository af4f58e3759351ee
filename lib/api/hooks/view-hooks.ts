"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ApiError, Sent } from "../client";
import { views } from "../client-views";
import type { SavedView, ViewChangeRequest, ViewRequest } from "../contract/views";
import { queryKeys } from "./query-keys";

/** Others save views rarely; whoever looks at the page again asks again. */
const STALE_MS = 30_000;

/** One's own saved views, and those of the team. */
export const useSavedViews = () =>
  useQuery({ queryKey: queryKeys.views(), queryFn: ({ signal }) => views.list({ signal }), staleTime: STALE_MS });

type Of<Request> = Sent<Request> & { id: string };

export const useSaveView = () => useViewAct<Sent<ViewRequest>, SavedView>((sent) => views.save(sent));

export const useChangeView = () =>
  useViewAct<Of<ViewChangeRequest>, SavedView>(({ id, ...sent }) => views.change(id, sent));

export const useDeleteView = () =>
  useViewAct<Of<{ revision: number }>, { done: true }>(({ id, ...sent }) => views.remove(id, sent));

/** After a refusal, too: then somebody else has changed something. */
function useViewAct<Variables, Answer>(act: (variables: Variables) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation<Answer, ApiError, Variables>({
    mutationFn: act,
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.views() }),
  });
}
