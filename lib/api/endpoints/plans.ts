import { planRequest } from "../contract/planned-acts";
import { planItemListQuery, planItemListResponse, planSchema } from "../contract/plans";
import { endpoint } from "../endpoint";
import { ofPlan } from "./params";

/** Ten thousand ids. */
const MAX_SELECTION_BYTES = 524_288;

export const makePlan = endpoint({
  method: "POST",
  path: "/v1/plans",
  action: "plan.make",
  summary: "Say what an act would do to each of the runs, and keep that; changes nothing",
  body: planRequest,
  maxBodyBytes: MAX_SELECTION_BYTES,
  answer: planSchema,
  statuses: { 201: "The plan" },
});

export const getPlan = endpoint({
  method: "GET",
  path: "/v1/plans/{planId}",
  action: "operation.read",
  summary: "A plan with the first of its items",
  params: ofPlan,
  answer: planSchema,
  statuses: { 200: "The plan" },
});

export const listPlanItems = endpoint({
  method: "GET",
  path: "/v1/plans/{planId}/items",
  action: "operation.read",
  summary: "What a plan would do to each run, newest first",
  params: ofPlan,
  query: planItemListQuery,
  answer: planItemListResponse,
  statuses: { 200: "A page of items" },
});
