import { runsOfTheirs } from "../../access/target";
import { whoAsksIfAnybody } from "../../access/who-asks";
import { type Action, may, NOTHING, type Permissions } from "../../engine/permission";
import { readinessProblems } from "../../operator/readiness";
import { changeStream } from "../change-stream";
import * as endpoints from "../endpoints";
import { openApiDocument } from "../openapi";
import { route } from "../route";
import { askSandbox } from "../sandbox-proxy";

export const followChanges = route(endpoints.followChanges, async ({ asker, server, request }) => {
  const { db, env, feed } = server;
  let hearer: Permissions = asker ?? NOTHING;
  return changeStream(feed, request, {
    by: asker?.accountable ?? null,
    async stillMay() {
      hearer = (await whoAsksIfAnybody(db, request.headers, env)) ?? NOTHING;
      return may(hearer, endpoints.followChanges.action as Action).open;
    },
    theirs: (runIds) => runsOfTheirs(db, hearer, runIds),
  });
});

export const getOpenApi = route(endpoints.getOpenApi, async () => Response.json(openApiDocument()));

export const readSandbox = route(endpoints.readSandbox, ({ params, server }) => askSandbox(server.env, params.path));

export const changeSandbox = route(endpoints.changeSandbox, ({ params, body, server }) =>
  askSandbox(server.env, params.path, { body }),
);

export const getLiveness = route(endpoints.getLiveness, async () => ({
  status: 200,
  body: { status: "ok" as const, problems: [] },
}));

export const getReadiness = route(endpoints.getReadiness, async ({ server }) => {
  const problems = await readinessProblems(server.db);
  return problems.length === 0
    ? { status: 200, body: { status: "ok" as const, problems } }
    : { status: 503, body: { status: "unavailable" as const, problems } };
});
