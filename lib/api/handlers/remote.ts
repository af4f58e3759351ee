import { ask } from "../../remote/ask";
import { claimFor } from "../../remote/claim";
import * as ending from "../../remote/end-claim";
import * as outcomes from "../../remote/outcome";
import { register } from "../../remote/register";
import * as undoing from "../../remote/undo";
import { depart, heartbeat } from "../../remote/worker";
import * as endpoints from "../endpoints";
import { route } from "../route";

export const registerWorker = route(endpoints.registerWorker, ({ desk, body, server }) =>
  register(desk, body, server.env.keepMs),
);

export const beatWorker = route(endpoints.beatWorker, async ({ desk, params }) => ({
  status: 200,
  body: await heartbeat(desk, params.workerId),
}));

export const departWorker = route(endpoints.departWorker, async ({ desk, params }) => ({
  status: 200,
  body: await depart(desk, params.workerId),
}));

export const claimRuns = route(endpoints.claimRuns, async ({ asker, desk, params, body, server, request }) => ({
  status: 200,
  body: await claimFor(desk, server.feed, params.workerId, {
    ...body,
    signal: request.signal,
    by: asker?.accountable ?? null,
  }),
}));

export const askForAttempt = route(endpoints.askForAttempt, async ({ desk, params, body }) => ({
  status: 200,
  body: await ask(desk, { ...params, epoch: body.epoch }, body),
}));

export const recordOutcome = route(endpoints.recordOutcome, async ({ desk, params, body }) => ({
  status: 200,
  body: await outcomes.recordOutcome(desk, { ...params, epoch: body.epoch }, body),
}));

export const askForUndo = route(endpoints.askForUndo, async ({ desk, params, body }) => ({
  status: 200,
  body: await undoing.nextUndo(desk, { ...params, ...body }),
}));

export const recordUndo = route(endpoints.recordUndo, async ({ desk, params, body }) => ({
  status: 200,
  body: await undoing.recordUndo(desk, { ...params, epoch: body.epoch }, body),
}));

export const handBackRun = route(endpoints.handBackRun, async ({ desk, params, body }) => {
  const { status } = await ending.handBack(desk, { ...params, epoch: body.epoch }, body);
  return { status: 200, body: { status } };
});

export const endRun = route(endpoints.endRun, async ({ desk, params, body }) => {
  const { status } = await ending.endRun(desk, { ...params, epoch: body.epoch }, body);
  return { status: 200, body: { status } };
});
