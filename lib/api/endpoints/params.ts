import { z } from "zod";
import { plainText } from "../contract/requests";
import { givenId } from "../contract/values";

/** Path parameters. */
export const ofRun = z.strictObject({ runId: givenId });
export const ofStep = z.strictObject({ runId: givenId, step: plainText.min(1).max(200) });
export const ofPublished = z.strictObject({ runId: givenId, name: plainText.min(1).max(200) });
export const ofOperation = z.strictObject({ operationId: givenId });
export const ofPlan = z.strictObject({ planId: givenId });
export const ofProblem = z.strictObject({ problemId: givenId });
export const ofWorkflow = z.strictObject({ workflow: plainText.min(1).max(100) });

/** A value of up to a mebibyte, whatever its encoding. */
export const MAX_VALUE_BYTES = 2_097_152;
