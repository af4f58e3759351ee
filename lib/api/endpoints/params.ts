import { z } from "zod";
import { plainText } from "../contract/requests";

/** Path parameters. */
export const ofRun = z.strictObject({ runId: z.uuid() });
export const ofStep = z.strictObject({ runId: z.uuid(), step: plainText.min(1).max(200) });
export const ofPublished = z.strictObject({ runId: z.uuid(), name: plainText.min(1).max(200) });
export const ofOperation = z.strictObject({ operationId: z.uuid() });
export const ofPlan = z.strictObject({ planId: z.uuid() });
export const ofProblem = z.strictObject({ problemId: z.uuid() });
export const ofWorkflow = z.strictObject({ workflow: plainText.min(1).max(100) });

/** A value of up to a mebibyte, whatever its encoding. */
export const MAX_VALUE_BYTES = 2_097_152;
