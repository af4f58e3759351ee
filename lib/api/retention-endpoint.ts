import { retentionResponse } from "./contract/responses";
import { endpoint } from "./endpoint";

export const getRetention = endpoint({
  method: "GET",
  path: "/v1/retention",
  summary: "For how long ended runs are kept, and what will be deleted next",
  answer: retentionResponse,
  statuses: { 200: "By workflow" },
});
