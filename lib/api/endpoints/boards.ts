import { compensationListQuery } from "../contract/requests";
import { compensationListResponse, overviewResponse } from "../contract/responses";
import { endpoint } from "../endpoint";

export const getOverview = endpoint({
  method: "GET",
  path: "/v1/overview",
  action: "overview.read",
  summary: "What needs a person, and how the system is doing",
  answer: overviewResponse,
  statuses: { 200: "The overview" },
});

export const listCompensations = endpoint({
  method: "GET",
  path: "/v1/compensations",
  action: "board.read",
  summary: "Compensations without an outcome, longest owed first",
  query: compensationListQuery,
  answer: compensationListResponse,
  statuses: { 200: "A page of compensations" },
});
