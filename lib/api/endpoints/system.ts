import { z } from "zod";
import { ownerOf } from "../../access/asker";
import { visibleRuns } from "../../access/target";
import { callerIfAny } from "../../access/who-asks";
import type { Action, Permissions } from "../../engine/access/permission";
import { may, NOTHING } from "../../engine/access/permission";
import { pulseOf } from "../../operator/health/database-pulse";
import { readinessProblems } from "../../operator/health/readiness";
import { plainText } from "../contract/requests";
import { changeEvent, healthResponse } from "../contract/responses";
import { json } from "../contract/run";
import { endpoint } from "../endpoint";
import { changeStream } from "../http/change-stream";
import { askSandbox } from "../sandbox-proxy";

const sandboxPath = z.strictObject({ path: plainText.max(100) });

const FOLLOW: Action = "system.read";

export const followChanges = endpoint(
  {
    method: "GET",
    path: "/v1/stream",
    action: FOLLOW,
    summary:
      "Server-Sent Events: `change` says which runs changed, `resync` that some changes may have been missed, `heartbeat` whether the database answers",
    answer: changeEvent,
    statuses: { 200: "A stream of events, each with this data" },
    contentType: "text/event-stream",
  },
  async ({ asker, server, request }) => {
    const { db, env, feed, standby } = server;
    let subscriber: Permissions = asker ?? NOTHING;
    return changeStream(feed, request, {
      by: asker?.accountable ?? null,
      async stillMay() {
        subscriber = (await callerIfAny(db, request.headers, env)) ?? NOTHING;
        return may(subscriber, FOLLOW).open;
      },
      visible: (runIds) => visibleRuns(db, subscriber, runIds),
      position: async () => (standby && asker ? standby.advance(ownerOf(asker)) : null),
      databaseAnswers: () => pulseOf(db).answers(),
    });
  },
);

export const readSandbox = endpoint(
  {
    method: "GET",
    path: "/v1/sandbox/{path*}",
    action: "system.read",
    summary: "Demo only: the state of the sandbox, the simulated services of the sample workflows",
    params: sandboxPath,
    answer: json,
    statuses: { 200: "The state of the sandbox" },
  },
  ({ params, server }) => askSandbox(server.env, params.path),
);

export const changeSandbox = endpoint(
  {
    method: "PUT",
    path: "/v1/sandbox/{path*}",
    action: "sandbox.change",
    summary: "Demo only: break a service of the sandbox, or repair it",
    params: sandboxPath,
    body: json,
    answer: json,
    statuses: { 200: "The state of the sandbox" },
  },
  ({ params, body, server }) => askSandbox(server.env, params.path, { body }),
);

export const getLiveness = endpoint(
  {
    method: "GET",
    path: "/health/live",
    action: "public",
    summary: "Whether the process answers",
    answer: healthResponse,
    statuses: { 200: "The process answers" },
  },
  async () => ({
    status: 200,
    body: { status: "ok" as const, problems: [] },
  }),
);

export const getReadiness = endpoint(
  {
    method: "GET",
    path: "/health/ready",
    action: "public",
    summary: "Whether the process can do its work, and what is wrong if not",
    answer: healthResponse,
    statuses: { 200: "Ready", 503: "Not ready" },
  },
  async ({ server }) => {
    const problems = await readinessProblems(server.db);
    return problems.length === 0
      ? { status: 200, body: { status: "ok" as const, problems } }
      : { status: 503, body: { status: "unavailable" as const, problems } };
  },
);
