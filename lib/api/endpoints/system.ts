import { z } from "zod";
import { plainText } from "../contract/requests";
import { changeEvent, healthResponse } from "../contract/responses";
import { json } from "../contract/run";
import { endpoint } from "../endpoint";

const sandboxPath = z.strictObject({ path: plainText.max(100) });

export const followChanges = endpoint({
  method: "GET",
  path: "/v1/stream",
  action: "system.read",
  summary: "Server-Sent Events: `change` says which runs changed, `resync` that some changes may have been missed",
  answer: changeEvent,
  statuses: { 200: "A stream of events, each with this data" },
  contentType: "text/event-stream",
});

export const getOpenApi = endpoint({
  method: "GET",
  path: "/v1/openapi.json",
  action: "public",
  summary: "This document",
  answer: json,
  statuses: { 200: "An OpenAPI 3.1 document" },
});

export const readSandbox = endpoint({
  method: "GET",
  path: "/v1/sandbox/{path*}",
  action: "system.read",
  summary: "Demo only: look at the sandbox, the outside world of the sample workflows",
  params: sandboxPath,
  answer: json,
  statuses: { 200: "What the sandbox says" },
});

export const changeSandbox = endpoint({
  method: "PUT",
  path: "/v1/sandbox/{path*}",
  action: "sandbox.change",
  summary: "Demo only: put a service of the sandbox into trouble, or out of it",
  params: sandboxPath,
  body: json,
  answer: json,
  statuses: { 200: "What the sandbox says" },
});

export const getLiveness = endpoint({
  method: "GET",
  path: "/health/live",
  action: "public",
  summary: "Whether the process answers",
  answer: healthResponse,
  statuses: { 200: "It does" },
});

export const getReadiness = endpoint({
  method: "GET",
  path: "/health/ready",
  action: "public",
  summary: "Whether the process can do its work, and what is wrong where it cannot",
  answer: healthResponse,
  statuses: { 200: "It can", 503: "It cannot" },
});
