import {
  executionRequest,
  executionSchema,
  operationActRequest,
  operationAndRunsSchema,
  operationItemListQuery,
  operationItemListResponse,
  operationListQuery,
  operationListResponse,
  operationRateRequest,
  operationReportLine,
  operationReportQuery,
  operationSchema,
} from "../contract/operations";
import { endpoint } from "../endpoint";
import { ofOperation, ofPlan } from "./params";

export const executePlan = endpoint({
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
});

export const listOperations = endpoint({
  method: "GET",
  path: "/v1/operations",
  action: "operation.read",
  summary: "List operations, newest first",
  query: operationListQuery,
  answer: operationListResponse,
  statuses: { 200: "A page of operations" },
});

export const getOperation = endpoint({
  method: "GET",
  path: "/v1/operations/{operationId}",
  action: "operation.read",
  summary: "An operation, how far it has come, and how its runs stand now",
  params: ofOperation,
  answer: operationAndRunsSchema,
  statuses: { 200: "The operation" },
});

export const listOperationItems = endpoint({
  method: "GET",
  path: "/v1/operations/{operationId}/items",
  action: "operation.read",
  summary: "What became of each item so far, in the plan's order",
  params: ofOperation,
  query: operationItemListQuery,
  answer: operationItemListResponse,
  statuses: { 200: "A page of items" },
});

export const exportOperation = endpoint({
  method: "GET",
  path: "/v1/operations/{operationId}/report",
  action: "operation.read",
  summary:
    "Every item with its outcome, and behind it every effect of its run once, a line each; `format=csv` gives a table instead",
  params: ofOperation,
  query: operationReportQuery,
  answer: operationReportLine,
  statuses: { 200: "The operation, its items and their effects, each on a line of its own" },
  contentType: "application/x-ndjson",
});

export const pauseOperation = endpoint({
  method: "POST",
  path: "/v1/operations/{operationId}/pause",
  action: "operation.control",
  summary: "Pause an operation: from the answer on, no item begins",
  params: ofOperation,
  body: operationActRequest,
  answer: operationSchema,
  statuses: { 202: "The operation, which is paused" },
});

export const resumeOperation = endpoint({
  method: "POST",
  path: "/v1/operations/{operationId}/resumption",
  action: "operation.control",
  summary: "Resume an operation, also one that has paused itself",
  params: ofOperation,
  body: operationActRequest,
  answer: operationSchema,
  statuses: { 202: "The operation, which goes on" },
});

export const abortOperation = endpoint({
  method: "POST",
  path: "/v1/operations/{operationId}/abortion",
  action: "operation.control",
  summary: "Abort an operation for good: what was done stays done, the rest stays as it is",
  params: ofOperation,
  body: operationActRequest,
  answer: operationSchema,
  statuses: { 202: "The operation, which has ended" },
});

export const changeOperationRate = endpoint({
  method: "POST",
  path: "/v1/operations/{operationId}/rate",
  action: "operation.control",
  summary: "Change how many items a second are carried out, from the next one on",
  params: ofOperation,
  body: operationRateRequest,
  answer: operationSchema,
  statuses: { 202: "The operation" },
});
