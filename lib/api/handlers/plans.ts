import type { Asker } from "../../access/asker";
import { NOTHING } from "../../engine/permission";
import * as planning from "../../operator/make-plan";
import * as approving from "../../operator/plan-approval";
import type { Server } from "../../server";
import * as endpoints from "../endpoints";
import { sighted } from "../permitted-reads";
import { route } from "../route";

export const makePlan = route(endpoints.makePlan, async ({ desk, body: { selection, ...act }, asker }) => {
  const own = "filter" in selection ? { filter: sighted(asker ?? NOTHING, selection.filter) } : selection;
  return { status: 201, body: await planning.makePlan(desk, act, own) };
});

export const getPlan = route(endpoints.getPlan, async ({ params, reads }) => ({
  status: 200,
  body: await reads.plan(params.planId),
}));

export const listPlanItems = route(endpoints.listPlanItems, async ({ params, query, reads }) => ({
  status: 200,
  body: await reads.planItems(params.planId, query),
}));

export const requestPlanApproval = route(
  endpoints.requestPlanApproval,
  async ({ desk, params, body, asker, server }) => ({
    status: 201,
    body: await approving.requestApproval(desk, { ...params, ...body, ...eyesOf(asker, server) }),
  }),
);

export const answerPlanApproval = route(
  endpoints.answerPlanApproval,
  async ({ desk, params, body, asker, server }) => ({
    status: 200,
    body: await approving.answerApproval(desk, { ...params, ...body, ...eyesOf(asker, server) }),
  }),
);

const eyesOf = (asker: Asker | null, { env }: Server) => ({ personId: asker?.personId ?? null, signIn: env.signIn });

export const listPlanApprovals = route(endpoints.listPlanApprovals, async ({ query, reads }) => ({
  status: 200,
  body: await reads.planApprovals(query),
}));
