import { z } from "zod";
import type { Env } from "../../env";
import { readDeliveries, readDestinations } from "../../operator/notices/destination-view";
import * as managing from "../../operator/notices/destinations";
import { redeliverByHand, sendTest } from "../../operator/notices/redeliver";
import { doneResponse } from "../contract/access";
import * as contract from "../contract/destinations";
import { givenId } from "../contract/values";
import { endpoint } from "../endpoint";

const ofId = z.strictObject({ id: givenId });
const ofDelivery = z.strictObject({ id: givenId, deliveryId: givenId });

export const listDestinations = endpoint(
  {
    method: "GET",
    path: "/v1/destinations",
    action: "destination.manage",
    summary: "Recipients of notifications",
    answer: contract.destinationListResponse,
    statuses: { 200: "The destinations, by name" },
  },
  async ({ server: { db, env } }) => ({
    status: 200,
    body: await readDestinations(db, env.mail !== null),
  }),
);

export const addDestination = endpoint(
  {
    method: "POST",
    path: "/v1/destinations",
    action: "destination.manage",
    summary: "Add a webhook, addresses of e-mail, Slack, PagerDuty, Opsgenie or Teams",
    body: contract.destinationRequest,
    answer: contract.destinationSecretResponse,
    statuses: { 201: "The destination; a webhook's secret is shown once" },
  },
  async ({ desk, body, server: { env } }) => ({
    status: 201,
    body: await managing.addDestination(desk, setUpOf(env), body),
  }),
);

export const changeDestination = endpoint(
  {
    method: "PUT",
    path: "/v1/destinations/{id}",
    action: "destination.manage",
    summary: "Change what a destination receives, and where; or switch it off and on",
    params: ofId,
    body: contract.destinationChangeRequest,
    answer: contract.destinationSchema,
    statuses: { 200: "The destination" },
  },
  async ({ desk, params, body, server: { env } }) => ({
    status: 200,
    body: await managing.changeADestination(desk, setUpOf(env), { ...params, ...body }),
  }),
);

export const rotateDestinationSecret = endpoint(
  {
    method: "POST",
    path: "/v1/destinations/{id}/secret",
    action: "destination.manage",
    summary: "Make a new signing secret; messages are signed with the one before, too, for a day",
    params: ofId,
    body: contract.destinationActRequest,
    answer: contract.destinationSecretResponse,
    statuses: { 200: "The destination; its secret is shown once" },
  },
  async ({ desk, params, body }) => ({
    status: 200,
    body: await managing.rotateDestinationSecret(desk, { ...params, ...body }),
  }),
);

export const removeDestination = endpoint(
  {
    method: "POST",
    path: "/v1/destinations/{id}/removal",
    action: "destination.manage",
    summary: "Remove a destination with its history; pending messages to it are not sent",
    params: ofId,
    body: contract.destinationActRequest,
    answer: doneResponse,
    statuses: { 200: "The destination is removed" },
  },
  async ({ desk, params, body }) => {
    await managing.removeADestination(desk, { ...params, ...body });
    return { status: 200, body: { done: true as const } };
  },
);

export const testDestination = endpoint(
  {
    method: "POST",
    path: "/v1/destinations/{id}/test",
    action: "destination.manage",
    summary: "Send a test to a destination",
    params: ofId,
    body: z.strictObject({}),
    answer: contract.deliverySchema,
    statuses: { 202: "The delivery, which a worker sends" },
  },
  async ({ desk, params }) => ({
    status: 202,
    body: await sendTest(desk, params.id),
  }),
);

export const listDeliveries = endpoint(
  {
    method: "GET",
    path: "/v1/destinations/{id}/deliveries",
    action: "destination.manage",
    summary: "What was sent to a destination in the last 30 days, latest first",
    params: ofId,
    query: contract.deliveryListQuery,
    answer: contract.deliveryListResponse,
    statuses: { 200: "A page of deliveries" },
  },
  async ({ params, query, server }) => ({
    status: 200,
    body: await readDeliveries(server.db, { destinationId: params.id, ...query }),
  }),
);

export const redeliver = endpoint(
  {
    method: "POST",
    path: "/v1/destinations/{id}/deliveries/{deliveryId}/redelivery",
    action: "destination.manage",
    summary: "Send a message again whose delivery has ended: the same bytes under the same id",
    params: ofDelivery,
    body: contract.redeliveryRequest,
    answer: contract.deliverySchema,
    statuses: { 202: "The delivery, which a worker sends" },
  },
  async ({ desk, params, body }) => ({
    status: 202,
    body: await redeliverByHand(desk, { destinationId: params.id, deliveryId: params.deliveryId, ...body }),
  }),
);

const setUpOf = ({ internalReceivers, mail }: Env) => ({ internal: internalReceivers, mail: mail !== null });
