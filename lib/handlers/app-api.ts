import type { Endpoint } from "../api/endpoint";
import * as events from "../api/endpoints/events-and-approvals";
import * as remote from "../api/endpoints/remote-workers";
import * as acts from "../api/endpoints/run-acts";
import * as runs from "../api/endpoints/runs";
import * as system from "../api/endpoints/system";
import * as workers from "../api/endpoints/workers";
import { routerOf } from "../api/http/router";
import { refuseForeignMutations } from "../api/http/same-origin";
import type { Serving } from "../library/parts";
import { createLogger, type Logger } from "../log";
import type { Server } from "../server";
import { asAsker, byToken, type FindCaller } from "./http-caller";

/** What programs ask for; people have the console. */
const ENDPOINTS: readonly Endpoint[] = [
  runs.startRun,
  runs.startRuns,
  runs.listRuns,
  runs.getRun,
  runs.getResult,
  runs.getPublished,
  runs.getValue,
  runs.listSteps,
  acts.cancelRun,
  acts.sendRunEvent,
  events.sendEvent,
  workers.driveRuns,
  system.getLiveness,
  system.getReadiness,
  ...Object.values(remote),
];

export interface HttpOptions {
  /**
   * Who is asking, by the app's own sessions or keys; null is answered with 401. Default: `Authorization: Bearer TOKEN` with
   * a token that was made in the console.
   */
  caller?: FindCaller;
}

/** Any `createHandrail(…)`. */
export interface Served {
  serving(): Promise<Serving>;
}

/** Answers a request. @param depth how many parts of the path come before the API's own: 1 for `/handrail/v1/runs` */
export type AppApi = (request: Request, depth: number) => Promise<Response>;

/** The part of the HTTP API that programs use, for an app's own server: same paths, fields and errors as the console's. */
export function appApi(handrail: Served, { caller }: HttpOptions = {}): AppApi {
  let opened: Server | undefined;
  let log: Logger | undefined;
  const { answer } = routerOf(
    {
      server: async () => {
        const serving = await handrail.serving();
        log = serving.log;
        opened ??= openServer(serving);
        return opened;
      },
      log: () => log ?? createLogger("handrail"),
      askerOf: async (request, server) => {
        if (!caller) return byToken(request, server);
        const found = await caller(request);
        return found && asAsker(found);
      },
      guard: (request) => refuseForeignMutations(request, { origin: null }),
      transportSecurity: () => null,
    },
    ENDPOINTS,
  );
  return (request, depth) => answer(asOfConsole(request, depth));
}

/** How many parts a path has: 2 for `/api/handrail/`. */
export const depthOf = (path: string): number => path.split("/").filter((part) => part !== "").length;

const openServer = ({ desk, ...serving }: Serving): Server => ({
  ...serving,
  standby: null,
  auditKeys: desk().auditKeys,
});

/** The same request as the console would receive it, without the address that its sender claims. */
function asOfConsole(request: Request, depth: number): Request {
  const url = new URL(request.url);
  url.pathname = ["/api", ...url.pathname.split("/").slice(1 + depth)].join("/");
  const moved = new Request(url, request);
  moved.headers.delete("x-forwarded-for");
  return moved;
}
