import { json } from "./contract/run";
import { type Endpoint, endpoint } from "./endpoint";
import * as endpoints from "./endpoints";
import { openApiDocument } from "./http/openapi";

export const getOpenApi = endpoint(
  {
    method: "GET",
    path: "/v1/openapi.json",
    action: "public",
    summary: "This document",
    answer: json,
    statuses: { 200: "An OpenAPI 3.1 document" },
  },
  async () => Response.json(openApiDocument(BY_NAME)),
);

/** Every endpoint by its operation's name. */
export const BY_NAME: Readonly<Record<string, Endpoint>> = { ...endpoints, getOpenApi };

/** The router, the OpenAPI document and the tests of permissions and attacks derive from this list. */
export const ENDPOINTS: readonly Endpoint[] = Object.values(BY_NAME);

/** @throws Error of a path that is not in the contract */
export function endpointAt(method: Endpoint["method"], path: string): Endpoint {
  const found = ENDPOINTS.find((one) => one.method === method && one.path === path);
  if (!found) throw new Error(`${method} ${path} is no endpoint.`);
  return found;
}
