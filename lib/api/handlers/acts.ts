import { type Asker, ownerOf } from "../../access/asker";
import { HandrailError } from "../../engine/errors";
import { seesMasked } from "../../engine/permission";
import * as answering from "../../operator/answer-approval";
import * as assigning from "../../operator/assign";
import * as cancelling from "../../operator/cancel";
import * as compensating from "../../operator/compensate";
import * as intaking from "../../operator/intake";
import * as limiting from "../../operator/limits";
import * as rerunning from "../../operator/rerun";
import * as controlling from "../../operator/run-control";
import * as sending from "../../operator/send-event";
import * as settling from "../../operator/settle-step";
import * as starting from "../../operator/start-run";
import { starterOf } from "../../operator/starter";
import * as unmasking from "../../operator/unmask";
import { withRemote } from "../../remote/definition";
import * as endpoints from "../endpoints";
import { route } from "../route";

function asStarter(asker: Asker | null) {
  if (asker === null) throw new HandrailError("unauthenticated", "Sign in first.");
  return starterOf({ owner: ownerOf(asker), sees: seesMasked(asker) });
}

export const startRun = route(endpoints.startRun, async ({ desk, body, server, asker }) =>
  starting.startRun(desk, await withRemote(server.db, server.workflows, body.workflow), body, asStarter(asker)),
);

export const startRuns = route(endpoints.startRuns, async ({ desk, body, server, asker }) =>
  starting.startRuns(desk, await withRemote(server.db, server.workflows, body.workflow), body, asStarter(asker)),
);

export const changeLimits = route(endpoints.changeLimits, async ({ desk, params, body }) => ({
  status: 200,
  body: await limiting.changeLimits(desk, { ...params, ...body }),
}));

export const closeIntake = route(endpoints.closeIntake, async ({ desk, params, body }) => ({
  status: 200,
  body: await intaking.closeIntake(desk, { ...params, ...body }),
}));

export const openIntake = route(endpoints.openIntake, async ({ desk, params, body }) => ({
  status: 200,
  body: await intaking.openIntake(desk, { ...params, ...body }),
}));

export const rerun = route(endpoints.rerun, async ({ desk, params, body }) => ({
  status: 202,
  body: await rerunning.rerun(desk, { ...params, ...body }),
}));

export const cancel = route(endpoints.cancel, async ({ desk, params, body }) => ({
  status: 202,
  body: await cancelling.cancel(desk, { ...params, ...body }),
}));

export const pause = route(endpoints.pause, async ({ desk, params, body }) => ({
  status: 202,
  body: await controlling.pause(desk, { ...params, ...body }),
}));

export const resume = route(endpoints.resume, async ({ desk, params, body }) => ({
  status: 202,
  body: await controlling.resume(desk, { ...params, ...body }),
}));

export const wake = route(endpoints.wake, async ({ desk, params, body }) => ({
  status: 202,
  body: await controlling.wake(desk, { ...params, ...body }),
}));

export const compensate = route(endpoints.compensate, async ({ desk, params, body }) => ({
  status: 202,
  body: await compensating.compensate(desk, { ...params, ...body }),
}));

export const markCompensated = route(endpoints.markCompensated, async ({ desk, params, body }) => ({
  status: 200,
  body: await compensating.markCompensated(desk, { ...params, ...body }),
}));

export const assignCompensation = route(endpoints.assignCompensation, async ({ desk, params, body, server }) => ({
  status: 200,
  body: await assigning.assign(desk, { ...params, ...body, signIn: server.env.signIn, inDemo: server.env.demo }),
}));

export const settleStep = route(endpoints.settleStep, async ({ desk, params, body }) => ({
  status: 202,
  body: await settling.settleStep(desk, { ...params, ...body }),
}));

export const answerApproval = route(endpoints.answerApproval, async ({ desk, params, body }) => ({
  status: 202,
  body: await answering.answerApproval(desk, { ...params, ...body }),
}));

export const sendRunEvent = route(endpoints.sendRunEvent, async ({ desk, params, body, server }) => ({
  status: 202,
  body: await sending.sendEventToRun(desk, server.workflows, { ...params, ...body }),
}));

export const sendEvent = route(endpoints.sendEvent, ({ desk, body, server }) =>
  sending.sendEventToKey(desk, server.workflows, body),
);

export const unmask = route(endpoints.unmask, async ({ desk, params, body }) => ({
  status: 200,
  body: await unmasking.unmask(desk, { ...params, ...body }),
}));
