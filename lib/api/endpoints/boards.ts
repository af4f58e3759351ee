import { readAssignees } from "../../operator/compensations/read-assignees";
import { readCompensationCounts, readCompensations } from "../../operator/compensations/read-compensations";
import { readOverview } from "../../operator/runs/reads";
import { narrowed } from "../access/narrow";
import { COUNT_CAP } from "../contract/caps";
import { compensationFilter, compensationListQuery } from "../contract/requests";
import {
  assigneeListResponse,
  compensationCountsResponse,
  compensationListResponse,
  overviewResponse,
} from "../contract/responses";
import { endpoint } from "../endpoint";
import { ofWorkflow } from "./params";

export const getOverview = endpoint(
  {
    method: "GET",
    path: "/v1/overview",
    action: "overview.read",
    standby: false,
    summary: "What needs attention, and the state of the system",
    answer: overviewResponse,
    statuses: { 200: "The overview" },
  },
  async ({ server, desk }) => ({
    status: 200,
    body: {
      ...(await readOverview(server.db, { cap: COUNT_CAP, demo: server.env.demo, reader: desk.owner ?? null })),
      cell: server.env.fleet?.own ?? null,
    },
  }),
);

export const listCompensations = endpoint(
  {
    method: "GET",
    path: "/v1/compensations",
    action: "board.read",
    summary: "Compensations of a lane of the board; without one, those without an outcome, longest pending first",
    query: compensationListQuery,
    answer: compensationListResponse,
    statuses: { 200: "A page of compensations" },
  },
  async ({ query, server, permissions }) => ({
    status: 200,
    body: await readCompensations(server.db, narrowed(permissions, query, "board.read")),
  }),
);

export const countCompensations = endpoint(
  {
    method: "GET",
    path: "/v1/compensations/counts",
    action: "board.read",
    summary: "How many compensations are in each lane of the board",
    query: compensationFilter.omit({ lane: true }),
    answer: compensationCountsResponse,
    statuses: { 200: "The counts" },
  },
  async ({ query, server, permissions }) => ({
    status: 200,
    body: await readCompensationCounts(server.db, narrowed(permissions, query, "board.read"), COUNT_CAP),
  }),
);

export const listAssignees = endpoint(
  {
    method: "GET",
    path: "/v1/workflows/{workflow}/assignees",
    action: "run.assign",
    summary: "The people to whom compensations of a workflow can be assigned",
    params: ofWorkflow,
    answer: assigneeListResponse,
    statuses: { 200: "Their names" },
  },
  async ({ params, server }) => ({
    status: 200,
    body: {
      assignees: server.env.signIn ? await readAssignees(server.db, params.workflow, server.env.demo) : null,
    },
  }),
);
