import type { Env } from "../../env";
import { readDeliveries, readDestinations } from "../../operator/destination-view";
import * as managing from "../../operator/destinations";
import { redeliverByHand, sendTest } from "../../operator/redeliver";
import * as endpoints from "../endpoints";
import { route } from "../route";

const setUpOf = ({ internalReceivers, mail }: Env) => ({ internal: internalReceivers, mail: mail !== null });

export const listDestinations = route(endpoints.listDestinations, async ({ server: { db, env } }) => ({
  status: 200,
  body: await readDestinations(db, env.mail !== null),
}));

export const addDestination = route(endpoints.addDestination, async ({ desk, body, server: { env } }) => ({
  status: 201,
  body: await managing.addDestination(desk, setUpOf(env), body),
}));

export const changeDestination = route(
  endpoints.changeDestination,
  async ({ desk, params, body, server: { env } }) => ({
    status: 200,
    body: await managing.changeADestination(desk, setUpOf(env), { ...params, ...body }),
  }),
);

export const rotateDestinationSecret = route(endpoints.rotateDestinationSecret, async ({ desk, params, body }) => ({
  status: 200,
  body: await managing.rotateDestinationSecret(desk, { ...params, ...body }),
}));

export const removeDestination = route(endpoints.removeDestination, async ({ desk, params, body }) => {
  await managing.removeADestination(desk, { ...params, ...body });
  return { status: 200, body: { done: true as const } };
});

export const testDestination = route(endpoints.testDestination, async ({ desk, params }) => ({
  status: 202,
  body: await sendTest(desk, params.id),
}));

export const listDeliveries = route(endpoints.listDeliveries, async ({ params, query, server }) => ({
  status: 200,
  body: await readDeliveries(server.db, { destinationId: params.id, ...query }),
}));

export const redeliver = route(endpoints.redeliver, async ({ desk, params, body }) => ({
  status: 202,
  body: await redeliverByHand(desk, { destinationId: params.id, deliveryId: params.deliveryId, ...body }),
}));
