import { z } from "zod";
import { COMPENSATION_LANES, OPEN_LANES } from "../../engine/compensations/compensation-board";
import { ERROR_CODES } from "../../engine/errors";
import { FOUR_EYES_ACTS } from "../../engine/operations/four-eyes";
import { ATTENTIONS, RUN_STATUSES } from "../../engine/runs/run";
import { EFFECTS } from "../../engine/steps/step";
import { openAlertSchema } from "./alerts";
import { limitFields } from "./limits";
import { problemOverview } from "./problems";
import { closedIntakeSchema, compensationSchema, instant, json, runListItemSchema } from "./run";

export const errorResponse = z
  .object({
    error: z.object({
      code: z.enum(ERROR_CODES),
      /** A sentence a person can act on. */
      message: z.string(),
      details: z.record(z.string(), json),
      requestId: z.string(),
    }),
  })
  .meta({ id: "ErrorResponse" });

export const runListResponse = z
  .object({
    runs: z.array(runListItemSchema),
    nextCursor: z.string().nullable(),
    /** On a short page that read the maximum number of runs: when the last of these began. Null otherwise. */
    lookedBackTo: instant.nullable(),
    updatedAt: instant,
  })
  .meta({ id: "RunListResponse" });

export const deletionSchema = z
  .object({
    runId: z.string(),
    /** How many runs, with its descendants. */
    deleted: z.int(),
  })
  .meta({ id: "Deletion" });

export const startRunsResponse = z
  .object({
    /** In the order of the request. */
    runs: z.array(
      z.object({
        id: z.uuid(),
        /** False when the idempotency key had started it before. */
        created: z.boolean(),
      }),
    ),
  })
  .meta({ id: "StartRunsResponse" });

const runCounts = {
  byStatus: z.record(z.enum(RUN_STATUSES), z.int()),
  byAttention: z.record(z.enum(ATTENTIONS), z.int()),
  /** True when at least one count stopped at 10,000. */
  capped: z.boolean(),
  /** There may be more: too many runs did not match the filter to read all of them. */
  partial: z.object({ byStatus: z.array(z.enum(RUN_STATUSES)), byAttention: z.array(z.enum(ATTENTIONS)) }),
};

export const runCountsResponse = z.object({ ...runCounts, updatedAt: instant }).meta({ id: "RunCountsResponse" });

export const runHistogramResponse = z
  .object({
    from: instant,
    until: instant,
    /** The width of a bar, in milliseconds. */
    bucketMs: z.int(),
    /**
     * Oldest first. The first may begin before the window and the last end after it; only runs within it are counted.
     */
    buckets: z.array(
      z.object({
        at: instant,
        /**
         * Matching runs that were started then, and those of them that failed; up to 1,000 each. Higher counts come
         * from the charts' rollups, if the filter has only workflows and a time.
         */
        started: z.int(),
        failed: z.int(),
        /** There are more than were counted. */
        startedMore: z.boolean(),
        failedMore: z.boolean(),
      }),
    ),
    updatedAt: instant,
  })
  .meta({ id: "RunHistogram" });

export const owedCompensationSchema = z
  .object({
    runId: z.uuid(),
    workflow: z.string(),
    title: z.string(),
    tags: z.record(z.string(), z.string()),
    /** As its workflow names the run; null: by its tags. */
    runTitle: z.string().nullable(),
    step: z.string(),
    generation: z.int(),
    runRevision: z.int(),
    runStatus: z.enum(RUN_STATUSES),
    /** Of the run: the code that completed the step and declared its compensation. */
    version: z.int(),
    lane: z.enum(COMPENSATION_LANES),
    effect: z.enum(EFFECTS),
    stepFinishedAt: instant.nullable(),
    /** The step whose compensation must come first; null when it is this one's turn. */
    behind: z.string().nullable(),
    /** What the step did: the provider's id and its output. */
    stepReference: z.string().nullable(),
    stepOutput: json.nullable(),
    /** Whether a person or a later check by the step's code gave the outcome, not an attempt. */
    stepSettled: z.boolean(),
    idempotencyKey: z.string(),
    compensation: compensationSchema,
  })
  .meta({ id: "OwedCompensation" });

export const compensationListResponse = z
  .object({ compensations: z.array(owedCompensationSchema), nextCursor: z.string().nullable(), updatedAt: instant })
  .meta({ id: "CompensationListResponse" });

export const compensationCountsResponse = z
  .object({
    byLane: z.record(z.enum(OPEN_LANES), z.int()),
    /** True when at least one count stopped at 10,000. */
    capped: z.boolean(),
    updatedAt: instant,
  })
  .meta({ id: "CompensationCountsResponse" });

export const assigneeListResponse = z
  .object({
    /** Names, 500 at most. Null without sign-in: any name is valid. */
    assignees: z.array(z.string()).nullable(),
  })
  .meta({ id: "AssigneeListResponse" });

export const openApprovalSchema = z
  .object({
    runId: z.uuid(),
    workflow: z.string(),
    title: z.string(),
    tags: z.record(z.string(), z.string()),
    /** As its workflow names the run; null: by its tags. */
    runTitle: z.string().nullable(),
    step: z.string(),
    runRevision: z.int(),
    question: z.string(),
    choices: z.array(z.string()),
    data: json.nullable(),
    since: instant,
    /** When it times out; null for no limit. */
    until: instant.nullable(),
  })
  .meta({ id: "OpenApproval" });

export const approvalListResponse = z
  .object({ approvals: z.array(openApprovalSchema), nextCursor: z.string().nullable(), updatedAt: instant })
  .meta({ id: "ApprovalListResponse" });

export const sentEventResponse = z
  .object({
    id: z.string(),
    /** False when an event with this id was already counted. */
    created: z.boolean(),
  })
  .meta({ id: "SentEvent" });

export const workerSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    status: z.enum(["live", "stopping", "lost", "stopped"]),
    workflows: z.array(z.string()),
    /** Of a worker over HTTP, such as "Python 3.12"; null for a worker of this package. */
    language: z.string().nullable(),
    concurrency: z.int(),
    running: z.int(),
    startedAt: instant,
    heartbeatAt: instant,
    leaseExpiresAt: instant,
    stoppedAt: instant.nullable(),
  })
  .meta({ id: "Worker" });

export const workerListResponse = z
  .object({ workers: z.array(workerSchema), updatedAt: instant })
  .meta({ id: "WorkerListResponse" });

export const workflowSchema = z
  .object({
    name: z.string(),
    version: z.int(),
    title: z.string(),
    inputSchema: json.nullable(),
    /** The language of its steps, when its workers own runs over HTTP; null for this package. */
    language: z.string().nullable(),
    /** The event that starts it, by its newest version; null for none. */
    on: z.string().nullable(),
    /** Fields of that event's payload which have to fit the workflow's filter. */
    onFields: z.array(z.string()),
    seenAt: instant,
    /** Live workers that have it. */
    workers: z.int(),
    /** Live workers that have this very version. */
    versionWorkers: z.int(),
    /** Actions on its runs that require a second person, by its code. */
    fourEyes: z.array(z.enum(FOUR_EYES_ACTS)),
    /** What its code declares; null when its runs are not queued. */
    limits: z
      .object({
        ...limitFields,
        /** Whether there is a queue per key, or one for the workflow. */
        keyed: z.boolean(),
      })
      .nullable(),
    /** An operator's override; null within keeps the code's. */
    liveLimits: z.object({ ...limitFields, setBy: z.string(), setAt: instant }).nullable(),
    /** How an operator has paused new runs; null while it is open. */
    intake: closedIntakeSchema.nullable(),
    /** Runs of any version that a worker holds. */
    running: z.int(),
    /** Runs of any version that could begin or continue; counting stops at 1,000. */
    backlog: z.int(),
  })
  .meta({ id: "Workflow" });

export const workflowListResponse = z
  .object({ workflows: z.array(workflowSchema), updatedAt: instant })
  .meta({ id: "WorkflowListResponse" });

export const overviewResponse = z
  .object({
    /** Runs that could continue, and that no live worker can take: by workflow or chosen version, most first. */
    stranded: z.array(
      z.object({
        workflow: z.string(),
        title: z.string(),
        /** The version that was chosen for them; null when no live worker has the workflow at all. */
        version: z.int().nullable(),
        /** Counting stops at 10,000. */
        runs: z.int(),
      }),
    ),
    /**
     * Runs that have been due for more than a minute although a live worker has room for them, by workflow, most first.
     */
    overdue: z.array(
      z.object({
        workflow: z.string(),
        title: z.string(),
        /** When the first of them was due. */
        since: instant,
        /** Counting stops at 10,000. */
        runs: z.int(),
      }),
    ),
    problems: problemOverview,
    /** Notification destinations that were switched off because no delivery succeeded. */
    switchedOffDestinations: z.array(
      z.object({ id: z.uuid(), name: z.string(), because: z.string(), failingSince: instant.nullable() }),
    ),
    /** Alert rules that fire. */
    alerts: z.array(openAlertSchema),
    /** Runs that need attention, worst first, 20 at most. */
    needsPerson: z.array(runListItemSchema),
    ...runCounts,
    /** Missing in the answers of cells with an earlier version. */
    partial: runCounts.partial.optional(),
    openCompensations: z.int(),
    /** Plans that wait for a second person. */
    planApprovals: z.int(),
    workers: z.object({ live: z.int(), lost: z.int(), running: z.int(), concurrency: z.int() }),
    /** Age of the oldest run that could start now, in milliseconds; null when none waits. */
    oldestPendingMs: z.number().nullable(),
    /** The next timer of any run. */
    nextDueAt: instant.nullable(),
    lostClaimsLastHour: z.int(),
    /**
     * Workflows with new runs paused by an operator, and how many of their runs wait to begin; counting stops at
     * 10,000.
     */
    closedIntakes: z.array(closedIntakeSchema.extend({ workflow: z.string(), title: z.string(), waiting: z.int() })),
    demo: z.boolean(),
    /** The name of this cell; null where there is no fleet. */
    cell: z.string().nullable(),
    updatedAt: instant,
  })
  .meta({ id: "OverviewResponse" });

const keptMs = z.number().nullable();

export const retentionResponse = z
  .object({
    /** Workflows with a retention period; null is forever. */
    workflows: z.array(
      z.object({
        workflow: z.string(),
        title: z.string(),
        completedMs: keptMs,
        failedMs: keptMs,
        cancelledMs: keptMs,
        compensatedMs: keptMs,
        /** Of its oldest 1,000 runs: past their period now. */
        due: z.int(),
        /** When the next one expires. */
        nextAt: instant.nullable(),
      }),
    ),
    /** For how long an Idempotency-Key is remembered. */
    requestsKeptMs: z.number(),
    updatedAt: instant,
  })
  .meta({ id: "RetentionResponse" });

export const healthResponse = z
  .object({ status: z.enum(["ok", "unavailable"]), problems: z.array(z.string()) })
  .meta({ id: "HealthResponse" });

/** What one Server-Sent Event says; event name `change` or `resync`. */
export const changeEvent = z
  .object({
    /** Runs that changed; empty with `many` true when there were too many to name. */
    runIds: z.array(z.string()),
    many: z.boolean(),
    /** With a standby: what has to be replayed there before a read from it shows the change. */
    wal: z.string().optional(),
  })
  .meta({ id: "ChangeEvent" });

/** What the stream says every five seconds of silence; event name `heartbeat`. */
export const heartbeatSchema = z.object({
  /** Whether the database answered just now. */
  database: z.boolean(),
});

export type RunListResponse = z.infer<typeof runListResponse>;
export type RunHistogram = z.infer<typeof runHistogramResponse>;
export type RunCountsResponse = z.infer<typeof runCountsResponse>;
export type OwedCompensation = z.infer<typeof owedCompensationSchema>;
export type CompensationListResponse = z.infer<typeof compensationListResponse>;
export type CompensationCountsResponse = z.infer<typeof compensationCountsResponse>;
export type AssigneeListResponse = z.infer<typeof assigneeListResponse>;
export type OpenApproval = z.infer<typeof openApprovalSchema>;
export type ApprovalListResponse = z.infer<typeof approvalListResponse>;
export type WorkerView = z.infer<typeof workerSchema>;
export type WorkerListResponse = z.infer<typeof workerListResponse>;
export type WorkflowView = z.infer<typeof workflowSchema>;
export type WorkflowListResponse = z.infer<typeof workflowListResponse>;
export type OverviewResponse = z.infer<typeof overviewResponse>;
export type RetentionResponse = z.infer<typeof retentionResponse>;
export type HealthResponse = z.infer<typeof healthResponse>;
export type ErrorResponse = z.infer<typeof errorResponse>;
export type ChangeEvent = z.infer<typeof changeEvent>;
export type Heartbeat = z.infer<typeof heartbeatSchema>;
