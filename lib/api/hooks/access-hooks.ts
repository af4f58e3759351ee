"use client";

import { onlineManager, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Action, may } from "../../engine/access/permission";
import { post, put } from "../client/browser";
import type { ApiError, Sent } from "../client/client";
import type {
  DemoSignInRequest,
  InvitationRequest,
  PersonChangeRequest,
  ProviderSignInRequest,
  SetUpRequest,
  SignInRequest,
  TokenRequest,
} from "../contract/access";
import { ofPaths, query, refresh } from "./query";

/** Permissions change rarely; the server checks again with every request. */
const ME_STALE_MS = 60_000;

export const useMe = () => useQuery({ ...query("/v1/session", {}), staleTime: ME_STALE_MS });

/** Why the user may not do this; null when they may, or while unknown. The server's rule applies. */
export function useWhyNot(action: Action, workflow?: string): string | null {
  const { data: me } = useMe();
  if (!me) return null;
  const permissions = { actions: new Set(me.actions), workflows: me.workflows };
  const openness = may(permissions, action, workflow === undefined ? [] : [workflow]);
  return openness.open ? null : openness.because;
}

export const useSignIn = () =>
  useMutation<{ name: string }, ApiError, SignInRequest>({
    mutationFn: (request) => post("/v1/session", {}, { request }),
  });

export const useSignInToDemo = () =>
  useLastAct<{ name: string }, DemoSignInRequest>((request) => post("/v1/demo/session", {}, { request }));

export const useProviderSignIn = () =>
  useMutation<{ url: string }, ApiError, ProviderSignInRequest>({
    mutationFn: (request) => post("/v1/session/provider", {}, { request }),
  });

export const useSetUp = () =>
  useMutation<{ name: string }, ApiError, SetUpRequest>({
    mutationFn: (request) => post("/v1/set-up", {}, { request }),
  });

export const useSignOut = () => useLastAct<{ done: true }>(() => post("/v1/session/end", {}, { request: {} }));

/**
 * An action that ends the session of this page: its caller loads another one. The page stops reading from its start,
 * since a read after the end of the session would be refused and redirect to the sign-in.
 */
function useLastAct<Answer, Variables = void>(act: (variables: Variables) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation<Answer, ApiError, Variables>({
    networkMode: "always",
    mutationFn: act,
    onMutate: () => {
      onlineManager.setOnline(false);
      return queryClient.cancelQueries();
    },
    onError: () => onlineManager.setOnline(true),
  });
}

export const usePeople = () => useQuery(query("/v1/people", {}));

export const useTokens = () => useQuery(query("/v1/tokens", {}));

export const useSessions = () => useQuery(query("/v1/sessions", {}));

export const useInvite = () =>
  useAccessAct((sent: Sent<InvitationRequest>) => post("/v1/people/invitations", {}, sent));

export const useMintToken = () => useAccessAct((sent: Sent<TokenRequest>) => post("/v1/tokens", {}, sent));

type Of<Request> = Sent<Request> & { id: string };

export const useChangePerson = () =>
  useAccessAct(({ id, ...sent }: Of<PersonChangeRequest>) => put("/v1/people/{id}", { id }, sent));

export const useRevokeToken = () =>
  useAccessAct(({ id, ...sent }: Of<{ reason: string }>) => post("/v1/tokens/{id}/revocation", { id }, sent));

export const useRevokeSession = () =>
  useAccessAct(({ id, ...sent }: Of<{ reason: string }>) => post("/v1/sessions/{id}/revocation", { id }, sent));

function useAccessAct<Variables, Answer>(act: (variables: Variables) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation<Answer, ApiError, Variables>({
    mutationFn: act,
    onSettled: () => refresh(queryClient, ofPaths("/v1/people", "/v1/tokens", "/v1/sessions")),
  });
}
