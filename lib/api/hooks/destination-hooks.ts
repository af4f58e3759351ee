"use client";

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ApiError, Sent } from "../client";
import { destinations } from "../client-destinations";
import type { DestinationActRequest, DestinationChangeRequest, DestinationRequest } from "../contract/destinations";
import { queryKeys } from "./query-keys";

/** Deliveries change by themselves, and nobody is told: they are asked for anew while somebody looks. */
const LOOK_AGAIN_MS = 2_000;

export const useDestinations = () =>
  useQuery({
    queryKey: queryKeys.destinations(),
    queryFn: ({ signal }) => destinations.list({ signal }),
    refetchInterval: 30_000,
  });

export const useDeliveries = (id: string) =>
  useInfiniteQuery({
    queryKey: queryKeys.deliveries(id),
    queryFn: ({ signal, pageParam }) => destinations.deliveries(id, pageParam, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: LOOK_AGAIN_MS,
  });

type Of<Request> = Sent<Request> & { id: string };

export const useAddDestination = () => useDestinationAct((sent: Sent<DestinationRequest>) => destinations.add(sent));

export const useChangeDestination = () =>
  useDestinationAct(({ id, ...sent }: Of<DestinationChangeRequest>) => destinations.change(id, sent));

export const useRotateSecret = () =>
  useDestinationAct(({ id, ...sent }: Of<DestinationActRequest>) => destinations.rotate(id, sent));

export const useRemoveDestination = () =>
  useDestinationAct(({ id, ...sent }: Of<DestinationActRequest>) => destinations.remove(id, sent));

export const useTestDestination = () =>
  useDestinationAct(({ id, ...sent }: Of<Record<string, never>>) => destinations.test(id, sent));

export const useRedeliver = () =>
  useDestinationAct(({ id, deliveryId, ...sent }: Of<{ reason: string }> & { deliveryId: string }) =>
    destinations.redeliver(id, deliveryId, sent),
  );

function useDestinationAct<Variables, Answer>(act: (variables: Variables) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation<Answer, ApiError, Variables>({
    mutationFn: act,
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.destinations() }),
  });
}
