import { ask } from "../../remote/ask";
import { claimFor } from "../../remote/claim";
import * as ending from "../../remote/end-claim";
import * as outcomes from "../../remote/outcome";
import { register } from "../../remote/register";
import * as undoing from "../../remote/undo";
import { depart, heartbeat } from "../../remote/worker";
import { CLAIM_HEADER } from "../contract/remote";
import * as endpoints from "../endpoints";
import { route } from "../route";

/** Which claim somebody speaks for, and by what they are known to hold it. */
const claimOf = <Params extends object>(params: Params, { epoch }: { epoch: number }, { headers }: Request) => ({
  ...params,
  epoch,
  secret: headers.get(CLAIM_HEADER),
});

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
    versionWaitMs: server.env.versionWaitMs,
    signal: request.signal,
    by: asker?.accountable ?? null,
  }),
}));

export const askForAttempt = route(endpoints.askForAttempt, async ({ desk, params, body, request }) => ({
  status: 200,
  body: await ask(desk, claimOf(params, body, request), body),
}));

export const recordOutcome = route(endpoints.recordOutcome, async ({ desk, params, body, request }) => ({
  status: 200,
  body: await outcomes.recordOutcome(desk, claimOf(params, body, request), body),
}));

export const askForUndo = route(endpoints.askForUndo, async ({ desk, params, body, request }) => ({
  status: 200,
  body: await undoing.nextUndo(desk, claimOf(params, body, request)),
}));

export const recordUndo = route(endpoints.recordUndo, async ({ desk, params, body, request }) => ({
  status: 200,
  body: await undoing.recordUndo(desk, claimOf(params, body, request), body),
}));

export const handBackRun = route(endpoints.handBackRun, async ({ desk, params, body, request }) => {
  const { status } = await ending.handBack(desk, claimOf(params, body, request), body);
  return { status: 200, body: { status } };
});

export const endRun = route(endpoints.endRun, async ({ desk, params, body, request }) => {
  const { status } = await ending.endRun(desk, claimOf(params, body, request), body);
  return { status: 200, body: { status } };
});
