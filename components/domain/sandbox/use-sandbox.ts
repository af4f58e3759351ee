"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { put, read } from "@/lib/api/client/browser";
import type { ApiError } from "@/lib/api/client/client";
import { keyOf } from "@/lib/api/hooks/query";
import type { Fault, Faults, Ledger, Message, OnCall, Receiver, Service, StoredBlob } from "./sandbox-answers";

/** The sandbox sends no change events; it is polled only while its page is open. */
const REFETCH_MS = 3_000;

const useSandbox = <Answer>(path: string, enabled = true) =>
  useQuery<Answer, ApiError>({
    queryKey: keyOf("/v1/sandbox/{path*}", { path }),
    queryFn: async ({ signal }) => (await read("/v1/sandbox/{path*}", { path }, { signal })) as Answer,
    refetchInterval: REFETCH_MS,
    enabled,
  });

export const useFaults = (enabled?: boolean) => useSandbox<Faults>("faults", enabled);
export const useLedger = () => useSandbox<Ledger>("payments/ledger");
export const useMailbox = () => useSandbox<{ messages: Message[] }>("mail");
export const useReceiver = () => useSandbox<Receiver>("webhooks");
export const useOnCall = () => useSandbox<OnCall>("on-call");
export const useBlobs = () => useSandbox<{ blobs: StoredBlob[] }>("blobs");

/** Sets the secret with which the webhook receiver verifies our messages. */
export const tellReceiver = (secret: string) =>
  put("/v1/sandbox/{path*}", { path: "webhooks/secret" }, { request: { secret } });

/** Throws a switch; the page shows it at once and takes it back if the sandbox refuses. */
export function useSetFault() {
  const queryClient = useQueryClient();
  const key = keyOf("/v1/sandbox/{path*}", { path: "faults" });
  return useMutation<Fault, ApiError, { service: Service; fault: Fault }, { before: Faults | undefined }>({
    mutationFn: async ({ service, fault }) =>
      (await put("/v1/sandbox/{path*}", { path: `${service}/faults` }, { request: { ...fault } })) as unknown as Fault,
    onMutate: async ({ service, fault }) => {
      await queryClient.cancelQueries({ queryKey: key });
      const before = queryClient.getQueryData<Faults>(key);
      if (before) queryClient.setQueryData<Faults>(key, { ...before, [service]: fault });
      return { before };
    },
    onError: (_, __, context) => queryClient.setQueryData(key, context?.before),
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  });
}
