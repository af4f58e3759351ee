import { seesMasked } from "../../engine/access/permission";
import { previewReport, sendReport } from "../../operator/notices/send-report";
import * as executing from "../../operator/operations/execute-plan";
import * as exporting from "../../operator/operations/export-operation";
import * as operating from "../../operator/operations/operate";
import { readOperationAndRuns, readOperationItems, readOperations } from "../../operator/operations/operation-view";
import { readActOfPlan } from "../../operator/operations/plan-view";
import { proveOperation } from "../../operator/operations/prove-operation";
import { narrowed } from "../access/narrow";
import { demandPermission } from "../access/permission";
import { reportPreviewSchema, reportRequest, sentReportSchema } from "../contract/destinations";
import {
  executionRequest,
  executionSchema,
  operationActRequest,
  operationAndRunsSchema,
  operationItemListQuery,
  operationItemListResponse,
  operationListQuery,
  operationListResponse,
  operationProofQuery,
  operationProofResponse,
  operationRateRequest,
  operationReportLine,
  operationReportQuery,
  operationResumptionRequest,
  operationSchema,
} from "../contract/operations";
import { endpoint } from "../endpoint";
import { download } from "../http/download";
import { maskRecords } from "../masking/mask-answer";
import { ofOperation, ofPlan } from "./params";

/** The caller needs the permission for the action on every workflow of the plan. */
export const executePlan = endpoint(
  {
    method: "POST",
    path: "/v1/plans/{planId}/executions",
    action: "plan.execute",
    summary: "Carry a plan out, and nothing else; each item is checked again under its run's lock",
    params: ofPlan,
    body: executionRequest,
    answer: executionSchema,
    statuses: {
      200: "The operation, which has ended: the plan touches one run",
      202: "The operation, which a worker takes up",
    },
  },
  async ({ desk, params, body, asker, server }) => {
    const act = await readActOfPlan(server.db, params.planId);
    await demandPermission({ action: `run.${act}`, method: "POST" }, asker, desk, { params, body });
    return executing.executePlan(desk, server.code, { ...params, ...body });
  },
);

export const listOperations = endpoint(
  {
    method: "GET",
    path: "/v1/operations",
    action: "operation.read",
    summary: "List operations, newest first",
    query: operationListQuery,
    answer: operationListResponse,
    statuses: { 200: "A page of operations" },
  },
  async ({ query, server, permissions }) => ({
    status: 200,
    body: await readOperations(server.db, narrowed(permissions, query, "operation.read")),
  }),
);

export const getOperation = endpoint(
  {
    method: "GET",
    path: "/v1/operations/{operationId}",
    action: "operation.read",
    summary: "An operation, its progress, and the state of its runs now",
    params: ofOperation,
    answer: operationAndRunsSchema,
    statuses: { 200: "The operation" },
  },
  async ({ params, server }) => ({
    status: 200,
    body: await readOperationAndRuns(server.db, params.operationId),
  }),
);

export const listOperationItems = endpoint(
  {
    method: "GET",
    path: "/v1/operations/{operationId}/items",
    action: "operation.read",
    summary: "The outcome of each item so far, in the plan's order",
    params: ofOperation,
    query: operationItemListQuery,
    answer: operationItemListResponse,
    statuses: { 200: "A page of items" },
  },
  async ({ params, query, server }) => ({
    status: 200,
    body: await readOperationItems(server.db, params.operationId, query),
  }),
);

export const getOperationProof = endpoint(
  {
    method: "GET",
    path: "/v1/operations/{operationId}/proof",
    action: "operation.read",
    summary:
      "How often the effects of its repaired runs happened, and with how many keys, step by step; 500 items a page",
    params: ofOperation,
    query: operationProofQuery,
    answer: operationProofResponse,
    statuses: { 200: "What the ledger says about a page of items" },
  },
  async ({ params, query, server }) => ({
    status: 200,
    body: await proveOperation(server.db, params.operationId, query),
  }),
);

export const exportOperationReport = endpoint(
  {
    method: "GET",
    path: "/v1/operations/{operationId}/report",
    action: "operation.read",
    summary:
      "Every item with its outcome, and behind it every effect of its run once, a line each; `format=csv` gives a table instead",
    params: ofOperation,
    query: operationReportQuery,
    answer: operationReportLine,
    statuses: { 200: "The operation, its items and their effects, one a line" },
    contentType: "application/x-ndjson",
  },
  async ({ params: { operationId }, query: { format }, server, permissions }) => {
    await readOperationAndRuns(server.db, operationId);
    const answered = { sees: seesMasked(permissions) };
    return download(
      `operation-${operationId}`,
      format,
      await exporting.exportOperation(
        server.db,
        operationId,
        format,
        maskRecords(server.db, operationReportLine, answered),
      ),
    );
  },
);

export const pauseOperation = endpoint(
  {
    method: "POST",
    path: "/v1/operations/{operationId}/pause",
    action: "operation.control",
    summary: "Pause an operation: from the answer on, no item begins",
    params: ofOperation,
    body: operationActRequest,
    answer: operationSchema,
    statuses: { 202: "The operation, which is paused" },
  },
  async ({ desk, params, body }) => ({
    status: 202,
    body: await operating.pauseOperation(desk, { ...params, ...body }),
  }),
);

export const resumeOperation = endpoint(
  {
    method: "POST",
    path: "/v1/operations/{operationId}/resumption",
    action: "operation.control",
    summary: "Resume an operation, also one that has paused itself",
    params: ofOperation,
    body: operationResumptionRequest,
    answer: operationSchema,
    statuses: { 202: "The operation, which goes on" },
  },
  async ({ desk, params, body }) => ({
    status: 202,
    body: await operating.resumeOperation(desk, { ...params, ...body }),
  }),
);

export const abortOperation = endpoint(
  {
    method: "POST",
    path: "/v1/operations/{operationId}/abortion",
    action: "operation.control",
    summary: "Abort an operation for good: what was done stays done, the rest stays as it is",
    params: ofOperation,
    body: operationActRequest,
    answer: operationSchema,
    statuses: { 202: "The operation, which has ended" },
  },
  async ({ desk, params, body }) => ({
    status: 202,
    body: await operating.abortOperation(desk, { ...params, ...body }),
  }),
);

export const changeOperationRate = endpoint(
  {
    method: "POST",
    path: "/v1/operations/{operationId}/rate",
    action: "operation.control",
    summary: "Change how many items a second are carried out, from the next one on",
    params: ofOperation,
    body: operationRateRequest,
    answer: operationSchema,
    statuses: { 202: "The operation" },
  },
  async ({ desk, params, body }) => ({
    status: 202,
    body: await operating.changeOperationRate(desk, { ...params, ...body }),
  }),
);

export const previewOperationReport = endpoint(
  {
    method: "GET",
    path: "/v1/operations/{operationId}/shares",
    action: "report.send",
    summary: "What a report on a bulk action would say, and who takes it",
    params: ofOperation,
    answer: reportPreviewSchema,
    statuses: { 200: "The sentence and the destinations" },
  },
  async ({ params, server }) => ({ status: 200, body: await previewReport(server.db, params) }),
);

export const sendOperationReport = endpoint(
  {
    method: "POST",
    path: "/v1/operations/{operationId}/shares",
    action: "report.send",
    summary: "Send a report on a bulk action to a destination",
    params: ofOperation,
    body: reportRequest,
    answer: sentReportSchema,
    statuses: { 202: "The delivery, which a worker sends" },
  },
  async ({ desk, params, body }) => ({ status: 202, body: await sendReport(desk, { about: params, ...body }) }),
);
