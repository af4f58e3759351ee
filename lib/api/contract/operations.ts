import { z } from "zod";
import { ITEM_OUTCOMES, OPERATION_STATUSES, REPORTED_OUTCOMES } from "../../engine/operations/operation";
import { MAX_CANARY, MAX_RATE_PER_SECOND } from "../../engine/operations/operation-pace";
import { PLANNED_ACTS } from "../../engine/runs/operator-acts";
import { ATTENTIONS, RUN_STATUSES } from "../../engine/runs/run";
import { EFFECT_VERDICTS } from "../../engine/steps/effect-verdict";
import { effectRecordSchema } from "./effects";
import { list, page, plainText, reason } from "./requests";
import { runNaming } from "./run-naming";
import { instant, json } from "./values";

/** Items a second. */
const ratePerSecond = z.int().min(1).max(MAX_RATE_PER_SECOND);

export const executionRequest = z
  .strictObject({
    /** The plan as it was previewed: any other plan is refused. */
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    reason,
    /** Default 20. Can be changed while the operation runs. */
    ratePerSecond: ratePerSecond.optional(),
    /** Items that are carried out and judged before the rest begins. Default 5; 0: none. */
    canary: z.int().min(0).max(MAX_CANARY).optional(),
  })
  .meta({ id: "ExecutionRequest" });

export const operationActRequest = z.strictObject({ reason }).meta({ id: "OperationActRequest" });

/** `undo`: only reverts a pause. Without it, the items so far count as looked at, and are not judged any more. */
export const operationResumptionRequest = z
  .strictObject({ reason, undo: z.literal(true).optional() })
  .meta({ id: "OperationResumptionRequest" });

export const operationRateRequest = z.strictObject({ ratePerSecond, reason }).meta({ id: "OperationRateRequest" });

export const operationSchema = z
  .object({
    id: z.string(),
    planId: z.string(),
    /** The run that carries it out; null for an operation on one run, which is carried out immediately. */
    runId: z.string().nullable(),
    act: z.enum(PLANNED_ACTS),
    params: z.record(z.string(), json),
    status: z.enum(OPERATION_STATUSES),
    /** Who or what paused it, and why; or why its own run does not proceed. */
    pausedBecause: z.string().nullable(),
    startedBy: z.string(),
    /** The runs of its plan. */
    workflows: z.array(z.string()),
    reason: z.string(),
    ratePerSecond: z.int(),
    canary: z.int(),
    /** Null while the first items are being carried out and judged. */
    canaryPassedAt: instant.nullable(),
    /** Items by outcome; `total` are those that the plan includes. */
    counts: z.object({
      total: z.int(),
      done: z.int(),
      already: z.int(),
      notEligible: z.int(),
      changed: z.int(),
      failed: z.int(),
    }),
    createdAt: instant,
    finishedAt: instant.nullable(),
  })
  .meta({ id: "Operation" });

/** `workflow`: only operations on runs of these, and of no others. */
export const operationListQuery = z.strictObject({ workflow: list(plainText.min(1).max(200)).optional(), ...page });

export const operationListResponse = z
  .object({ operations: z.array(operationSchema), nextCursor: z.string().nullable(), updatedAt: instant })
  .meta({ id: "OperationListResponse" });

export const operationItemListQuery = z.strictObject({
  /** `others`: items that were not carried out. */
  list: z.enum(["all", "others"]).default("all"),
  ...page,
});

export const operationItemSchema = z
  .object({
    /** As in the plan. */
    position: z.int(),
    runId: z.string(),
    /** Null when it no longer exists. */
    named: runNaming.nullable(),
    outcome: z.enum(ITEM_OUTCOMES),
    /** Why it was not carried out. */
    because: z.string().nullable(),
    at: instant,
    /** The run's current state; null when it no longer exists. */
    run: z.object({ status: z.enum(RUN_STATUSES), attention: z.enum(ATTENTIONS).nullable() }).nullable(),
  })
  .meta({ id: "OperationItem" });

/** `runs`: the current state of the affected runs, the latest 10,000 at most. */
export const operationAndRunsSchema = operationSchema
  .extend({
    runs: z.object({
      of: z.int(),
      completed: z.int(),
      needPerson: z.int(),
      /** They need no person and have not ended. */
      underWay: z.int(),
      /** Cancelled, compensated, paused, or deleted. */
      others: z.int(),
    }),
  })
  .meta({ id: "OperationAndRuns" });

/** `item`: the result for the one run of the plan; null for several runs, which a worker carries out. */
export const executionSchema = operationSchema
  .extend({ item: operationItemSchema.nullable() })
  .meta({ id: "Execution" });

export const operationItemListResponse = z
  .object({ items: z.array(operationItemSchema), nextCursor: z.string().nullable() })
  .meta({ id: "OperationItemListResponse" });

/** `limit`: items whose ledgers an answer judges. */
export const operationProofQuery = z.strictObject({
  ...page,
  limit: z.coerce.number().int().min(1).max(500).default(500),
});

/** What the effect ledger says about a page of an operation's items; several answers are added up. */
export const operationProofResponse = z
  .object({
    /** Repaired runs among these items. */
    runs: z.int(),
    /** Of these, runs that have not completed and in which a worker was lost after the last kept outcome: an effect of it may have no record. */
    lostAtEnd: z.int(),
    steps: z.array(
      z.object({
        workflow: z.string(),
        /** Without the numbers of a loop; null: all steps beyond the first hundred of this answer. */
        step: z.string().nullable(),
        effects: z.int(),
        /** Of these, those that happened: by the record, or by the word of a person or the provider. */
        happened: z.int(),
        /** Different idempotency keys under which something was sent. */
        keys: z.int(),
        verdicts: z.record(z.enum(EFFECT_VERDICTS), z.int()),
      }),
    ),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "OperationProofResponse" });

export const operationReportQuery = z.strictObject({ format: z.enum(["csv", "ndjson"]).default("ndjson") });

/** A line of a report: the operation, then each item of its plan, each followed by the effects of its run. */
export const operationReportLine = z
  .discriminatedUnion("row", [
    operationSchema.extend({ row: z.literal("operation") }),
    z.object({
      row: z.literal("item"),
      /** Its position in the plan. */
      item: z.int(),
      runId: z.string(),
      /** Null when it no longer exists. */
      named: runNaming.nullable(),
      workflow: z.string(),
      itemOutcome: z.enum(REPORTED_OUTCOMES),
      because: z.string().nullable(),
      at: instant.nullable(),
    }),
    effectRecordSchema.extend({ row: z.literal("effect"), item: z.int() }).meta({ id: "OperationReportEffect" }),
  ])
  .meta({ id: "OperationReportLine" });

export type ExecutionRequest = z.infer<typeof executionRequest>;
export type OperationActRequest = z.infer<typeof operationActRequest>;
export type OperationResumptionRequest = z.infer<typeof operationResumptionRequest>;
export type OperationRateRequest = z.infer<typeof operationRateRequest>;
export type Execution = z.infer<typeof executionSchema>;
export type Operation = z.infer<typeof operationSchema>;
export type OperationAndRuns = z.infer<typeof operationAndRunsSchema>;
export type OperationListResponse = z.infer<typeof operationListResponse>;
export type OperationProofResponse = z.infer<typeof operationProofResponse>;
export type OperationItemListResponse = z.infer<typeof operationItemListResponse>;
