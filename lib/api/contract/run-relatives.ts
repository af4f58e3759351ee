import { z } from "zod";
import { ATTENTIONS, RUN_STATUSES } from "../../engine/runs/run";
import { runNaming } from "./run-naming";
import { serializedError } from "./serialized-error";

export const ancestorSchema = z
  .object({
    runId: z.uuid(),
    /** Null in the root of the tree. */
    parentRunId: z.uuid().nullable(),
    /** The step of its parent that started it. */
    parentStep: z.string().nullable(),
    workflow: z.string(),
    named: runNaming,
    status: z.enum(RUN_STATUSES),
  })
  .meta({ id: "Ancestor" });

export const rootCauseSchema = z
  .object({
    runId: z.uuid(),
    workflow: z.string(),
    status: z.enum(RUN_STATUSES),
    /** Why it needs attention; null when it is paused, cancelled or compensated. */
    attention: z.enum(ATTENTIONS).nullable(),
    failedStep: z.string().nullable(),
    waitingStep: z.string().nullable(),
    error: serializedError.nullable(),
    /** From the run's own child down to this one. */
    way: z.array(z.object({ runId: z.uuid(), workflow: z.string(), parentStep: z.string() })),
  })
  .meta({ id: "RootCause" });

export type Ancestor = z.infer<typeof ancestorSchema>;
export type RootCause = z.infer<typeof rootCauseSchema>;
