"use client";

import { onlineManager, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Action, may } from "../../engine/permission";
import type { ApiError, Sent } from "../client";
import { access } from "../client-access";
import type {
  DemoSignInRequest,
  InvitationRequest,
  PersonChangeRequest,
  ProviderSignInRequest,
  SetUpRequest,
  SignInRequest,
  TokenRequest,
} from "../contract/access";
import { queryKeys } from "./query-keys";

/** What one may changes rarely; the server asks itself anew with every request. */
const ME_STALE_MS = 60_000;

export const useMe = () =>
  useQuery({ queryKey: queryKeys.me(), queryFn: ({ signal }) => access.me({ signal }), staleTime: ME_STALE_MS });

/** Why whoever looks may not do this; null where they may, or as long as nobody has said. The rule is the server's. */
export function useWhyNot(action: Action, workflow?: string): string | null {
  const { data: me } = useMe();
  if (!me) return null;
  const permissions = { actions: new Set(me.actions), workflows: me.workflows };
  const openness = may(permissions, action, workflow === undefined ? [] : [workflow]);
  return openness.open ? null : openness.because;
}

export const useSignIn = () =>
  useMutation<{ name: string }, ApiError, SignInRequest>({ mutationFn: (request) => access.signIn(request) });

export const useSignInToDemo = () =>
  useLastAct<{ name: string }, DemoSignInRequest>((request) => access.signInToDemo(request));

export const useProviderSignIn = () =>
  useMutation<{ url: string }, ApiError, ProviderSignInRequest>({
    mutationFn: (body) => access.signInAtProvider(body),
  });

export const useSetUp = () =>
  useMutation<{ name: string }, ApiError, SetUpRequest>({ mutationFn: (request) => access.setUp(request) });

export const useSignOut = () => useLastAct<{ done: true }>(() => access.signOut());

/**
 * An act that ends the session of this page: its caller loads another one. From its beginning the page reads nothing more, since a
 * read that reaches the server after the end of the session is refused, which would lead to the sign-in.
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

export const usePeople = () =>
  useQuery({ queryKey: queryKeys.access("people"), queryFn: ({ signal }) => access.people({ signal }) });

export const useTokens = () =>
  useQuery({ queryKey: queryKeys.access("tokens"), queryFn: ({ signal }) => access.tokens({ signal }) });

export const useSessions = () =>
  useQuery({ queryKey: queryKeys.access("sessions"), queryFn: ({ signal }) => access.sessions({ signal }) });

export const useInvite = () => useAccessAct((sent: Sent<InvitationRequest>) => access.invite(sent));

export const useMintToken = () => useAccessAct((sent: Sent<TokenRequest>) => access.mintToken(sent));

type Of<Request> = Sent<Request> & { id: string };

export const useChangePerson = () =>
  useAccessAct(({ id, ...sent }: Of<PersonChangeRequest>) => access.changePerson(id, sent));

export const useRevokeToken = () =>
  useAccessAct(({ id, ...sent }: Of<{ reason: string }>) => access.revokeToken(id, sent));

export const useRevokeSession = () =>
  useAccessAct(({ id, ...sent }: Of<{ reason: string }>) => access.revokeSession(id, sent));

function useAccessAct<Variables, Answer>(act: (variables: Variables) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation<Answer, ApiError, Variables>({
    mutationFn: act,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["access"] }),
  });
}
