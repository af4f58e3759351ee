import { HandrailError } from "../../engine/errors";
import type { Endpoint } from "../endpoint";
import { answering, type Handler, handlerOf } from "./route";
import type { Site } from "./site";

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export interface Router {
  /** Below `/api`. An unsupported method is refused with the list of supported ones. */
  answer: Handler;
  /** The endpoint of a request; undefined when there is none. */
  endpointOf(request: Request): Endpoint | undefined;
}

/** The paths that begin with the same parts. */
interface Place {
  fixed: Map<string, Place>;
  parameter: Place | null;
  /** `{name*}`: takes the rest of the path. */
  rest: Place | null;
  endpoints: Map<string, { endpoint: Endpoint; handler: Handler }>;
}

const aPlace = (): Place => ({ fixed: new Map(), parameter: null, rest: null, endpoints: new Map() });

export function routerOf(site: Site, endpoints: readonly Endpoint[]): Router {
  const root = aPlace();
  for (const endpoint of endpoints)
    placeOf(root, endpoint.path).endpoints.set(endpoint.method, { endpoint, handler: handlerOf(site, endpoint) });
  const placeAt = ({ url }: Request) => find(root, new URL(url).pathname.split("/").slice(2));
  const unknownPath = answering(site, async ({ url }) => {
    throw new HandrailError("not_found", `There is nothing at ${new URL(url).pathname}.`);
  });
  return {
    answer: (request) => {
      const place = placeAt(request);
      if (!place) return unknownPath(request);
      return (place.endpoints.get(request.method)?.handler ?? unknownMethod(site, place))(request);
    },
    endpointOf: (request) => placeAt(request)?.endpoints.get(request.method)?.endpoint,
  };
}

function placeOf(root: Place, path: string): Place {
  let place = root;
  for (const part of path.split("/").slice(1)) {
    const [, name, rest] = /^\{(\w+)(\*)?\}$/.exec(part) ?? [];
    if (name === undefined) {
      if (!place.fixed.has(part)) place.fixed.set(part, aPlace());
      place = place.fixed.get(part) as Place;
    } else if (rest) place = place.rest ??= aPlace();
    else place = place.parameter ??= aPlace();
  }
  return place;
}

/** Precedence: a fixed part, then a parameter, then the rest of a path. */
function find(place: Place, [part, ...others]: readonly string[]): Place | undefined {
  if (part === undefined) return place.endpoints.size > 0 ? place : undefined;
  if (part === "") return undefined;
  const fixed = place.fixed.get(part);
  return (
    (fixed && find(fixed, others)) ?? (place.parameter && find(place.parameter, others)) ?? place.rest ?? undefined
  );
}

const unknownMethod = (site: Site, { endpoints }: Place): Handler =>
  answering(site, async ({ method }) => {
    const allowed = METHODS.filter((one) => endpoints.has(one));
    throw new HandrailError("method_not_allowed", `${method} is not a method of this path.`, { allowed });
  });
