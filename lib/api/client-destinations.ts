import { ask, get, post, type ReadOptions, type Sent } from "./client";
import type {
  Delivery,
  DeliveryListResponse,
  Destination,
  DestinationActRequest,
  DestinationChangeRequest,
  DestinationListResponse,
  DestinationRequest,
  DestinationSecretResponse,
} from "./contract/destinations";

const path = (id: string) => `/destinations/${encodeURIComponent(id)}`;

/** Who outside is told. What answers with a secret tells it once. */
export const destinations = {
  list: (options?: ReadOptions) => get<DestinationListResponse>("/destinations", options),
  add: (sent: Sent<DestinationRequest>) => post<DestinationSecretResponse>("/destinations", sent),
  change: (id: string, { request, idempotencyKey }: Sent<DestinationChangeRequest>) =>
    ask<Destination>("PUT", path(id), { body: request, idempotencyKey }),
  rotate: (id: string, sent: Sent<DestinationActRequest>) =>
    post<DestinationSecretResponse>(`${path(id)}/secret`, sent),
  remove: (id: string, sent: Sent<DestinationActRequest>) => post<unknown>(`${path(id)}/removal`, sent),
  test: (id: string, sent: Sent<Record<string, never>>) => post<Delivery>(`${path(id)}/test`, sent),
  deliveries: (id: string, cursor: string | null, options?: ReadOptions) =>
    get<DeliveryListResponse>(`${path(id)}/deliveries${cursor === null ? "" : `?cursor=${cursor}`}`, options),
  redeliver: (id: string, deliveryId: string, sent: Sent<{ reason: string }>) =>
    post<Delivery>(`${path(id)}/deliveries/${encodeURIComponent(deliveryId)}/redelivery`, sent),
};
