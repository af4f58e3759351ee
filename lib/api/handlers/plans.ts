import * as planning from "../../operator/make-plan";
import * as endpoints from "../endpoints";
import { route } from "../route";

export const makePlan = route(endpoints.makePlan, async ({ desk, body: { selection, ...act } }) => ({
  status: 201,
  body: await planning.makePlan(desk, act, selection),
}));

export const getPlan = route(endpoints.getPlan, async ({ params, server }) => ({
  status: 200,
  body: await server.reads.plan(params.planId),
}));

export const listPlanItems = route(endpoints.listPlanItems, async ({ params, query, server }) => ({
  status: 200,
  body: await server.reads.planItems(params.planId, query),
}));
