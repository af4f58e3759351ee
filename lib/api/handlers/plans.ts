import { NOTHING } from "../../engine/permission";
import * as planning from "../../operator/make-plan";
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
