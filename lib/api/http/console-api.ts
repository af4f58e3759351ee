import { identifyCaller } from "../../access/who-asks";
import { server, serverLog } from "../../server";
import { serverEnv } from "../../server-env";
import { ENDPOINTS } from "../all-endpoints";
import { transportSecurity } from "../pages/page-policy";
import { processMetrics } from "./process-metrics";
import { METHODS, routerOf } from "./router";
import { refuseOtherOrigins, refuseWithoutOrigin } from "./same-origin";

/** The console's API, below `/api`. */
export const { answer, endpointOf } = routerOf(
  {
    server,
    log: serverLog,
    async askerOf(request, { db, env }) {
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
