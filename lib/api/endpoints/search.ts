import { searchQuery, searchResponse } from "../contract/search";
import { endpoint } from "../endpoint";

export const search = endpoint({
  method: "GET",
  path: "/v1/search",
  action: "run.read",
  summary:
    "Find whatever carries an id, a business key or a name: runs, workflows, problems, operations, schedules, people",
  query: searchQuery,
  answer: searchResponse,
  statuses: { 200: "What was found, by kind; kinds that are not yours to see are empty" },
});
