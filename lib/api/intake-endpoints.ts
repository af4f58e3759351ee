import { z } from "zod";
import { intakeClosureRequest, intakeOpeningRequest, plainText } from "./contract/requests";
import { workflowSchema } from "./contract/responses";
import { endpoint } from "./endpoint";

const ofWorkflow = z.strictObject({ workflow: plainText.min(1).max(100) });

export const closeIntake = endpoint({
  method: "POST",
  path: "/v1/workflows/{workflow}/intake/closure",
  summary: "Close a workflow's intake: runs are accepted, and none that has not begun is begun",
  params: ofWorkflow,
  body: intakeClosureRequest,
  answer: workflowSchema,
  statuses: { 200: "The workflow's newest version" },
});

export const openIntake = endpoint({
  method: "POST",
  path: "/v1/workflows/{workflow}/intake/opening",
  summary: "Open a workflow's intake: what was held goes on, by priority and age",
  params: ofWorkflow,
  body: intakeOpeningRequest,
  answer: workflowSchema,
  statuses: { 200: "The workflow's newest version" },
});
