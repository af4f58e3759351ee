import * as planning from "../../operator/make-plan";
import * as endpoints from "../endpoints";
import { route } from "../route";

export const makePlan = route(endpoints.makePlan, async ({ desk, body: { selection, ...act } }) => ({
  status: 201,
  body: await planning.makePlan(desk, act, selection),
}));

export const getPlan = route(endpoints.getPlan, async ({ params, reads }) => ({
  status: 200,
  body: await reads.plan(params.planId),
}));

export const listPlanItems = route(endpoints.listPlanItems, async ({ params, query, reads }) => ({
  status: 200,
  body: await reads.planItems(params.planId, query),
}));
