"use client";

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { post, put } from "../client/browser";
import type { ApiError, Sent } from "../client/client";
import type { DestinationActRequest, DestinationChangeRequest, DestinationRequest } from "../contract/destinations";
import { ofPaths, pages, query, refresh } from "./query";

/** Deliveries change without a notification: they are refetched while the page is visible. */
const LOOK_AGAIN_MS = 2_000;

export const useDestinations = () => useQuery({ ...query("/v1/destinations", {}), refetchInterval: 30_000 });

export const useDeliveries = (id: string) =>
  useInfiniteQuery({ ...pages("/v1/destinations/{id}/deliveries", { id }), refetchInterval: LOOK_AGAIN_MS });

type Of<Request> = Sent<Request> & { id: string };

export const useAddDestination = () =>
  useDestinationAct((sent: Sent<DestinationRequest>) => post("/v1/destinations", {}, sent));

export const useChangeDestination = () =>
  useDestinationAct(({ id, ...sent }: Of<DestinationChangeRequest>) => put("/v1/destinations/{id}", { id }, sent));

export const useRotateSecret = () =>
  useDestinationAct(({ id, ...sent }: Of<DestinationActRequest>) => post("/v1/destinations/{id}/secret", { id }, sent));

export const useRemoveDestination = () =>
  useDestinationAct(
    ({ id, ...sent }: Of<DestinationActRequest>) => post("/v1/destinations/{id}/removal", { id }, sent),
    ofPaths("/v1/destinations"), // not its deliveries, which are gone with it
  );

export const useTestDestination = () =>
  useDestinationAct(({ id, ...sent }: Of<Record<string, never>>) => post("/v1/destinations/{id}/test", { id }, sent));

export const useRedeliver = () =>
  useDestinationAct(({ id, deliveryId, ...sent }: Of<{ reason: string }> & { deliveryId: string }) =>
    post("/v1/destinations/{id}/deliveries/{deliveryId}/redelivery", { id, deliveryId }, sent),
  );

const OF_DESTINATIONS = ofPaths("/v1/destinations", "/v1/destinations/{id}/deliveries");

function useDestinationAct<Variables, Answer>(
  act: (variables: Variables) => Promise<Answer>,
  touched = OF_DESTINATIONS,
) {
  const queryClient = useQueryClient();
  return useMutation<Answer, ApiError, Variables>({
    mutationFn: act,
    onSettled: () => refresh(queryClient, touched),
  });
}
