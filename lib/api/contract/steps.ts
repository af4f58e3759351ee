import { z } from "zod";
import { RUN_STATUSES } from "../../engine/runs/run";
import { plainText } from "./requests";
import { attemptSchema, compensationSchema, stepSchema, waitSchema } from "./run";
import { instant, json } from "./values";

export const runDetailQuery = z.strictObject({
  /** Steps at most; unfinished ones come first, then the first and the last. */
  steps: z.coerce.number().int().min(1).max(5_000).default(5_000),
});

export const stepListQuery = z.strictObject({
  /** `nextCursor` of the page before. */
  cursor: plainText.max(500).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(1_000),
});

/** A step for display: without its output, its question and the stacks of its errors. */
export const drawnStepSchema = stepSchema
  .pick({
    name: true,
    kind: true,
    effect: true,
    status: true,
    attempt: true,
    maxAttempts: true,
    generation: true,
    position: true,
    reference: true,
    error: true,
    startedAt: true,
    finishedAt: true,
    nextAttemptAt: true,
    supersededBy: true,
  })
  .extend({
    /** The latest 50. */
    attempts: z.array(
      attemptSchema
        .pick({ number: true, status: true, error: true, startedAt: true, finishedAt: true })
        .meta({ id: "DrawnAttempt" }),
    ),
    compensation: compensationSchema
      .pick({ mode: true, status: true, by: true, owedAt: true, finishedAt: true })
      .meta({ id: "DrawnCompensation" }),
    wait: waitSchema.pick({ event: true }).meta({ id: "DrawnWait" }).nullable(),
  })
  .meta({ id: "DrawnStep" });

export const stepListResponse = z
  .object({
    /** By name and generation: the client sorts them by `position`. */
    steps: z.array(drawnStepSchema),
    nextCursor: z.string().nullable(),
    updatedAt: instant,
  })
  .meta({ id: "StepListResponse" });

export const stepResponse = z
  .object({
    /** Every record of the step, latest generation first. */
    steps: z.array(stepSchema),
    updatedAt: instant,
  })
  .meta({ id: "StepResponse" });

export const runNormalResponse = z
  .object({
    /** The newest run of its workflow and version that completed without a repair; null: none among the last thousands. */
    goodRun: z.object({ runId: z.uuid(), createdAt: instant }).nullable(),
    /** The executions that count ended in this time: the week before the run's start, and some hours after it. */
    since: instant,
    until: instant,
    /** Of steps that ended at least 5 times: what is normal for each. Names without their loop suffixes. */
    steps: z.array(
      z
        .object({
          step: z.string(),
          /** Null: of all versions, for too few are of the run's own. */
          version: z.int().nullable(),
          executions: z.int(),
          /** Of one execution's last attempt, in milliseconds, with an error of at most 9.1 %. */
          p50Ms: z.number(),
          p95Ms: z.number(),
        })
        .meta({ id: "NormalStep" }),
    ),
    updatedAt: instant,
  })
  .meta({ id: "RunNormalResponse" });

export type DrawnStep = z.infer<typeof drawnStepSchema>;
export type DrawnAttempt = DrawnStep["attempts"][number];
export type StepListResponse = z.infer<typeof stepListResponse>;
export type StepResponse = z.infer<typeof stepResponse>;
export type RunNormal = z.infer<typeof runNormalResponse>;
export type NormalStep = RunNormal["steps"][number];

export const valueQuery = z
  .strictObject({
    part: z.enum(["input", "output", "step"]),
    /** Its name, with the part `step`. */
    step: plainText.min(1).max(200).optional(),
    /** Of the step. Default: its last one. */
    generation: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
  })
  .refine(
    ({ part, step }) => (part === "step") === (step !== undefined),
    "`step` is for the part `step`, which needs it",
  );

/** A value of a run that is in the blob store: `{ "$type": "blob", "size" }` in other answers. */
export const valueResponse = z
  .object({
    runId: z.string(),
    workflow: z.string(),
    part: z.enum(["input", "output", "step"]),
    step: z.string().nullable(),
    generation: z.int().nullable(),
    /** Of its JSON, in bytes of UTF-8. */
    size: z.int(),
    value: json,
  })
  .meta({ id: "LargeValue" });

/** What a run has published under a name. */
export const publishedResponse = z
  .object({
    runId: z.string(),
    workflow: z.string(),
    /** Of the run. */
    status: z.enum(RUN_STATUSES),
    name: z.string(),
    published: z.boolean(),
    /** Null while it is not published. */
    value: json.nullable(),
    publishedAt: instant.nullable(),
    /** An operator supplied the value in place of the code. */
    supplied: z.boolean(),
  })
  .meta({ id: "Published" });
