import { type Action, may, type Permissions } from "../../engine/access/permission";
import { searchLogs as searchingLogs } from "../../operator/logs/search-logs";
import { SEARCH_KINDS, type SearchKind, search as searching } from "../../operator/search";
import { narrowed, sighted } from "../access/narrow";
import { logSearchQuery, logSearchResponse } from "../contract/log";
import { searchQuery, searchResponse } from "../contract/search";
import { endpoint } from "../endpoint";

const SEARCHED: Record<SearchKind, Action> = {
  runs: "run.read",
  workflows: "workflow.read",
  problems: "problem.read",
  operations: "operation.read",
  schedules: "schedule.read",
  people: "audit.read",
};

const kindsFor = (asker: Permissions) => SEARCH_KINDS.filter((kind) => may(asker, SEARCHED[kind]).open);

export const search = endpoint(
  {
    method: "GET",
    path: "/v1/search",
    action: "run.read",
    summary:
      "Find whatever carries an id, a business key or a name: runs, workflows, problems, operations, schedules, people",
    query: searchQuery,
    answer: searchResponse,
    statuses: { 200: "What was found, by kind; kinds that are not yours to see are empty" },
  },
  async ({ query: { q }, server, permissions }) => ({
    status: 200,
    body: await searching(
      server.db,
      sighted(permissions, { q, workflows: permissions.workflows, kinds: kindsFor(permissions) }),
    ),
  }),
);

export const searchLogs = endpoint(
  {
    method: "GET",
    path: "/v1/logs",
    action: "run.read",
    summary: "Search the log lines of all runs by their words, level, workflow, step and time, newest first",
    query: logSearchQuery,
    answer: logSearchResponse,
    statuses: { 200: "A page of lines, and how far back it looked" },
  },
  async ({ query, server, permissions }) => ({
    status: 200,
    body: await searchingLogs(server.db, narrowed(permissions, query)),
  }),
);
