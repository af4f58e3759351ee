import type { Asker } from "../../access/asker";
import { CALLER_HEADER, callerIn } from "../../access/fleet-caller";
import { identifyCaller } from "../../access/who-asks";
import { HandrailError } from "../../engine/errors";
import type { Env } from "../../env";
import { server, serverLog } from "../../server";
import { serverEnv } from "../../server-env";
import { ENDPOINTS } from "../all-endpoints";
import { transportSecurity } from "../pages/page-policy";
import { processMetrics } from "./process-metrics";
import { METHODS, routerOf } from "./router";
import { refuseOtherOrigins, refuseWithoutOrigin } from "./same-origin";

/** Whom the console of another cell names in a request that it sends on; null: no other console is between. */
function callerOfCell({ headers, url, method }: Request, { fleet }: Env): Asker | null {
  const header = headers.get(CALLER_HEADER);
  if (header === null) return null;
  if (headers.has("authorization") || headers.has("cookie"))
    throw new HandrailError("unauthenticated", `Send a ${CALLER_HEADER} header or credentials, not both.`);
  const { pathname, search } = new URL(url);
  return callerIn(header, fleet, { method, path: pathname + search });
}

/** The console's API, below `/api`. */
export const { answer, endpointOf } = routerOf(
  {
    server,
    log: serverLog,
    async askerOf(request, { db, env }) {
      const sentOn = callerOfCell(request, env);
      if (sentOn) return sentOn;
      const asker = await identifyCaller(db, request.headers, env);
      // With a cookie, only from a page of ours.
      if (asker?.personId != null) refuseWithoutOrigin(request);
      return asker;
    },
    guard: (request) => refuseOtherOrigins(request, serverEnv()),
    transportSecurity: () => transportSecurity(serverEnv()),
    onAnswer: ({ method, path }, status, ms) => processMetrics().answered(method, path, status, ms),
  },
  ENDPOINTS,
);

export const api = Object.fromEntries(METHODS.map((method) => [method, answer])) as Record<
  (typeof METHODS)[number],
  typeof answer
>;
