import type { Asker } from "../../access/asker";
import { NOTHING } from "../../engine/permission";
import * as planning from "../../operator/make-plan";
import * as approving from "../../operator/plan-approval";
import type { Server } from "../../server";
import * as endpoints from "../endpoints";
import { demandPermission } from "../permission";
import { narrowed } from "../permitted-reads";
import { route } from "../route";

/** Whoever plans an act may do it. Of a filter, only what is theirs is looked at. */
export const makePlan = route(endpoints.makePlan, async ({ desk, params, body, asker }) => {
  const { selection, ...act } = body;
  const known = asker ?? NOTHING;
  await demandPermission({ action: `run.${act.act}`, method: "POST" }, asker, desk, { params, body });
  const theirs = "filter" in selection ? { filter: narrowed(known, selection.filter) } : selection;
  return { status: 201, body: await planning.makePlan(desk, act, theirs) };
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
