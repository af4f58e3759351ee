import { markDeploy, readDeploys } from "../../operator/deploys/deploys";
import { publishVerification, readVerifications } from "../../operator/workflows/verifications";
import { readVersionChanges } from "../../operator/workflows/version-changes";
import { narrowed } from "../access/narrow";
import {
  deployListQuery,
  deployListResponse,
  deployRequest,
  deploySchema,
  versionChangesQuery,
  versionChangesResponse,
} from "../contract/deploys";
import { verificationListResponse, verificationRequest, verificationSchema } from "../contract/verifications";
import { endpoint } from "../endpoint";
import { ofWorkflow } from "./params";

export const listDeploys = endpoint(
  {
    method: "GET",
    path: "/v1/deploys",
    action: "workflow.read",
    summary: "When other code began to run, latest first",
    query: deployListQuery,
    answer: deployListResponse,
    statuses: { 200: "A page of deploys" },
  },
  async ({ query, server, permissions }) => ({
    status: 200,
    body: await readDeploys(server.db, narrowed(permissions, query, "workflow.read")),
  }),
);

export const createDeploy = endpoint(
  {
    method: "POST",
    path: "/v1/deploys",
    action: "deploy.mark",
    summary: "Mark a deploy: charts and problems show it from then on",
    body: deployRequest,
    answer: deploySchema,
    statuses: { 200: "It was marked before, and is completed", 201: "The deploy" },
  },
  async ({ desk, body: { at, ...mark } }) => markDeploy(desk, { ...mark, at: at === undefined ? null : new Date(at) }),
);

export const getVersionChanges = endpoint(
  {
    method: "GET",
    path: "/v1/workflows/{workflow}/changes",
    action: "workflow.read",
    summary: "How two versions of a workflow differ: steps, and what they declare",
    params: ofWorkflow,
    query: versionChangesQuery,
    answer: versionChangesResponse,
    statuses: { 200: "The differences" },
  },
  async ({ params, query, server }) => ({
    status: 200,
    body: await readVersionChanges(server.db, params.workflow, query),
  }),
);

export const listVerifications = endpoint(
  {
    method: "GET",
    path: "/v1/workflows/{workflow}/verifications",
    action: "workflow.read",
    summary: "What verifications found of a workflow's versions, newest version first",
    params: ofWorkflow,
    answer: verificationListResponse,
    statuses: { 200: "The latest verification of each version" },
  },
  async ({ params, server }) => ({ status: 200, body: await readVerifications(server.db, params.workflow) }),
);

export const createVerification = endpoint(
  {
    method: "POST",
    path: "/v1/workflows/{workflow}/verifications",
    action: "deploy.mark",
    summary: "Publish a verification of one version, in place of the one before",
    params: ofWorkflow,
    body: verificationRequest,
    answer: verificationSchema,
    statuses: { 200: "The verification" },
  },
  async ({ desk, params, body }) => publishVerification(desk, params.workflow, body),
);
