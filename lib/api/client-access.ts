import { ask, get, post, type ReadOptions, type Sent } from "./client";
import type {
  DemoSignInRequest,
  InvitationRequest,
  Me,
  PersonChangeRequest,
  PersonListResponse,
  ProviderSignInRequest,
  SessionListResponse,
  SetUpRequest,
  SignInRequest,
  TokenListResponse,
  TokenRequest,
} from "./contract/access";

/** Who asks, and who may. What answers with a secret tells it once. */
export const access = {
  me: (options?: ReadOptions) => get<Me>("/session", options),
  signIn: (body: SignInRequest) => ask<{ name: string }>("POST", "/session", { body }),
  signInToDemo: (body: DemoSignInRequest) => ask<{ name: string }>("POST", "/demo/session", { body }),
  signInAtProvider: (body: ProviderSignInRequest) => ask<{ url: string }>("POST", "/session/provider", { body }),
  signOut: () => ask<{ done: true }>("POST", "/session/end", { body: {} }),
  setUp: (body: SetUpRequest) => ask<{ name: string }>("POST", "/set-up", { body }),
  people: (options?: ReadOptions) => get<PersonListResponse>("/people", options),
  invite: (sent: Sent<InvitationRequest>) => post<{ name: string; secret: string | null }>("/people/invitations", sent),
  changePerson: (id: string, { request, idempotencyKey }: Sent<PersonChangeRequest>) =>
    ask<unknown>("PUT", `/people/${id}`, { body: request, idempotencyKey }),
  tokens: (options?: ReadOptions) => get<TokenListResponse>("/tokens", options),
  mintToken: (sent: Sent<TokenRequest>) => post<{ secret: string | null }>("/tokens", sent),
  revokeToken: (id: string, sent: Sent<{ reason: string }>) => post<unknown>(`/tokens/${id}/revocation`, sent),
  sessions: (options?: ReadOptions) => get<SessionListResponse>("/sessions", options),
  revokeSession: (id: string, sent: Sent<{ reason: string }>) => post<unknown>(`/sessions/${id}/revocation`, sent),
};
