import { z } from "zod";
import { COMPENSATION_MODES, COMPENSATION_STATUSES } from "../../engine/compensations/compensation";
import { INTAKE_HOLDS } from "../../engine/queues/intake";
import { HOLDS } from "../../engine/queues/queue";
import { OPERATOR_ACTS } from "../../engine/runs/operator-acts";
import { ATTENTIONS, RUN_STATUSES, WAIT_KINDS } from "../../engine/runs/run";
import { ATTEMPT_STATUSES, EFFECTS, STEP_KINDS, STEP_STATUSES } from "../../engine/steps/step";
import { auditRowSchema } from "./audit-row";
import { limitFields, permitWaitSchema } from "./limits";
import { namingFields } from "./run-naming";
import { ancestorSchema, rootCauseSchema } from "./run-relatives";
import { serializedError } from "./serialized-error";
import { instant, json } from "./values";

export { instant, json };

export const attemptSchema = z
  .object({
    number: z.int(),
    generation: z.int(),
    /** Of the code that made it. */
    version: z.int(),
    status: z.enum(ATTEMPT_STATUSES),
    error: serializedError.nullable(),
    workerId: z.string().nullable(),
    startedAt: instant,
    finishedAt: instant.nullable(),
  })
  .meta({ id: "Attempt" });

export const compensationSchema = z
  .object({
    mode: z.enum(COMPENSATION_MODES),
    status: z.enum(COMPENSATION_STATUSES),
    by: z.string().nullable(),
    note: z.string().nullable(),
    reference: z.string().nullable(),
    error: serializedError.nullable(),
    /** The code's instructions to the person, for a manual compensation. */
    instructions: z.string().nullable(),
    attempt: z.int(),
    nextAttemptAt: instant.nullable(),
    owedAt: instant.nullable(),
    finishedAt: instant.nullable(),
    /** The assignee, and who assigned it. */
    assignee: z.string().nullable(),
    assignedBy: z.string().nullable(),
    assignedAt: instant.nullable(),
    /** An http(s) link to the evidence of a manual action. */
    evidence: z.string().nullable(),
  })
  .meta({ id: "Compensation" });

export const waitSchema = z
  .object({
    /** Name of the event; null for a question. */
    event: z.string().nullable(),
    /** Also matches events of this business key. */
    key: z.string().nullable(),
    /** The question and its choices; null and empty for an event. */
    question: z.string().nullable(),
    choices: z.array(z.string()),
    data: json.nullable(),
    since: instant,
  })
  .meta({ id: "Wait" });

export const eventSchema = z
  .object({
    name: z.string(),
    /** The sender's: events of one name and id count once. */
    id: z.string(),
    key: z.string().nullable(),
    payload: json,
    /** The person who sent it; null for programs. */
    sentBy: z.string().nullable(),
    sentAt: instant,
    /** Null: no run has waited for it yet. */
    takenByStep: z.string().nullable(),
    takenAt: instant.nullable(),
    /** How often an event with this id was sent again, without effect, and when last. */
    repeats: z.int(),
    repeatedAt: instant.nullable(),
  })
  .meta({ id: "Event" });

export const stepSchema = z
  .object({
    name: z.string(),
    kind: z.enum(STEP_KINDS),
    effect: z.enum(EFFECTS),
    status: z.enum(STEP_STATUSES),
    attempt: z.int(),
    maxAttempts: z.int(),
    generation: z.int(),
    /** Order in which the steps of the run were first met. */
    position: z.int(),
    /** Order of the steps' outcomes, as the code received them; null without one. */
    finishedPosition: z.int().nullable(),
    idempotencyKey: z.string(),
    reference: z.string().nullable(),
    output: json.nullable(),
    error: serializedError.nullable(),
    startedAt: instant,
    finishedAt: instant.nullable(),
    nextAttemptAt: instant.nullable(),
    attempts: z.array(attemptSchema),
    compensation: compensationSchema,
    /** What a step of kind event or approval waits for, or waited. */
    wait: waitSchema.nullable(),
    /** Whether the code can ask the provider to resolve an unknown outcome. */
    canAsk: z.boolean(),
    /** It waits for its retry, and an attempt before may have had its effect. */
    inDoubt: z.boolean(),
    /** The repair generation whose rerun superseded this result; null while it is current. */
    supersededBy: z.int().nullable(),
  })
  .meta({ id: "Step" });

export const waitingForSchema = z
  .object({
    kind: z.enum(WAIT_KINDS),
    step: z.string().nullable(),
    since: instant,
    until: instant.nullable(),
  })
  .meta({ id: "WaitingFor" });

/** The part of a step that lists show: enough for one coloured bar. */
export const stepBarSchema = z
  .object({ name: z.string(), status: z.enum(STEP_STATUSES), attempt: z.int(), maxAttempts: z.int() })
  .meta({ id: "StepBar" });

/** How an operator has paused new runs of a workflow. */
export const closedIntakeSchema = z
  .object({
    /** `new`: runs that have not begun; `all`: also those that have. */
    holds: z.enum(INTAKE_HOLDS),
    closedBy: z.string(),
    reason: z.string(),
    closedAt: instant,
  })
  .meta({ id: "ClosedIntake" });

const runFields = {
  id: z.uuid(),
  workflow: z.string(),
  /** The workflow's title, or its name when no worker has registered one. */
  title: z.string(),
  /** The version it began with. */
  version: z.int(),
  /** The version that its start or an operator chose: only workers that have it take the run. */
  chosenVersion: z.int().nullable(),
  /** The version that claimed it last. */
  codeVersion: z.int(),
  status: z.enum(RUN_STATUSES),
  waitingFor: waitingForSchema.nullable(),
  attention: z.enum(ATTENTIONS).nullable(),
  input: json,
  output: json.nullable(),
  error: serializedError.nullable(),
  /** The step that failed the run. */
  failedStep: z.string().nullable(),
  ...namingFields,
  priority: z.int(),
  parentRunId: z.uuid().nullable(),
  /** The parent's step that started this run. */
  parentStep: z.string().nullable(),
  generation: z.int(),
  /** Increases with every change of the run's own state; an action may send the one it saw. */
  revision: z.int(),
  cancelRequestedAt: instant.nullable(),
  /** Since when an operator wants it paused: a running run first finishes its steps in flight. Null without a pause. */
  pauseRequestedAt: instant.nullable(),
  /** The run whose pause, with its children, holds this one; its own id when it is that run. */
  pauseRoot: z.uuid().nullable(),
  runAt: instant.nullable(),
  workerId: z.string().nullable(),
  /** The pause of its workflow that holds it back; null when none does. */
  heldBy: closedIntakeSchema.nullable(),
  /** The progress that its code reports; null without one. */
  progress: z.object({ done: z.number(), total: z.number(), note: z.string().nullable(), at: instant }).nullable(),
  createdAt: instant,
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
  /** One plain sentence: what happened, what did not, what it waits for. */
  summary: z.string(),
};

export const runListItemSchema = z
  .object({
    ...runFields,
    /** The first 12 current steps, in order. */
    stepBar: z.array(stepBarSchema),
    stepCount: z.int(),
    /** The limits in whose queue it is; empty in the one queue of its workflow, null when not queued. */
    queueKey: z.string().nullable(),
    /** Of the worker that has it. */
    workerName: z.string().nullable(),
    /** The value at each requested path, nested under its keys and without its siblings. */
    picked: z.record(z.string(), json).optional(),
  })
  .meta({ id: "RunListItem" });

/** An operator's action on this run, and whether it is open now. */
export const actStateSchema = z
  .object({
    act: z.enum(OPERATOR_ACTS),
    open: z.boolean(),
    /** Why it is closed, in a sentence; null while it is open. */
    because: z.string().nullable(),
  })
  .meta({ id: "ActState" });

export const queueSchema = z
  .object({
    /** Of the limits; empty when there is one queue for the workflow. */
    key: z.string(),
    /** The limit that holds it back; null when none does, and the next claim takes it. */
    heldBy: z.enum(HOLDS).nullable(),
    /** Runs that workers hold: of the queue, and of all queues of the workflow (0 without a limit over them). */
    holding: z.int(),
    totalHolding: z.int(),
    /** As they apply now: an operator's, or the code's. */
    ...limitFields,
    /** Runs that go before it; counting stops at 1,000. */
    ahead: z.int(),
    /** When the queue opens next by a rate or its window; null when neither holds it back. */
    opensAt: instant.nullable(),
  })
  .meta({ id: "RunQueue" });

/** Runs by status. `capped`: there are more than were counted. */
export const runTally = z
  .object({ byStatus: z.record(z.enum(RUN_STATUSES), z.int()), total: z.int(), capped: z.boolean() })
  .meta({ id: "RunTally" });

export const driftSchema = z
  .object({
    generation: z.int(),
    /** Of code that has drifted from the run's history. */
    version: z.int(),
    /** Done steps that the code did not reach, 100 at most, and their number. */
    gone: z.array(z.string()),
    goneCount: z.int(),
    /** The step that the code ran, or would have run, in their place; null for the end of the code. */
    next: z.string().nullable(),
    /** Whether the run stopped there, or continued. */
    stopped: z.boolean(),
    at: instant,
  })
  .meta({ id: "Drift" });

export const runSchema = z
  .object({
    ...runFields,
    steps: z.array(stepSchema),
    /**
     * How many are missing from `steps`, which has 5,000 at most, or fewer where the endpoint says so: unfinished ones
     * come first, then the first and the last.
     */
    stepsLeftOut: z.int().nonnegative(),
    acts: z.array(actStateSchema),
    headers: z.record(z.string(), z.string()),
    /** Of a page of `ctx.mapSteps`: the name of the map in its parent's code. */
    pageOf: z.string().nullable(),
    /** It is cancelled if it has not begun by the one, and fails if it has not ended by the other; null without a limit. */
    beginBy: instant.nullable(),
    deadlineAt: instant.nullable(),
    /** The nominal time of the schedule that started it; null without one. */
    scheduledAt: instant.nullable(),
    /** When an operator erased its data; null while it has it. */
    erasedAt: instant.nullable(),
    /** The run that this one was started from, by a person; null when there is none, or it was deleted. */
    startedFrom: z.uuid().nullable(),
    /** Runs that were started from this one, newest first; 20 at most. */
    startedAs: z.array(z.uuid()),
    /** The recommended next action for a person, or null. */
    primaryAct: z.enum(OPERATOR_ACTS).nullable(),
    /** Sent to the run or taken by it, newest first, 200 at most. */
    events: z.array(eventSchema),
    audit: z.array(auditRowSchema),
    /** Claims whose worker was lost: attempts in flight then may have no record. */
    lostClaims: z.array(z.object({ workerId: z.string(), at: instant })),
    /** Every change of version at a claim, in order. */
    versionChanges: z.array(z.object({ version: z.int(), generation: z.int(), at: instant })),
    /** Steps that passes found missing from their code, by generation. */
    drift: z.array(driftSchema),
    /** False when no live worker has this workflow, or not the version that was chosen for it. */
    workerAvailable: z.boolean(),
    /** The payload key that it needs and that no live worker of its workflow has; null for none. */
    missingKey: z.string().nullable(),
    /** What the blob store said, while a value of this run cannot be put there, or the run waits for one. */
    blobError: z.string().nullable(),
    /** The worker that holds it. A `lost` worker's lease has expired: another is about to take the run over. */
    owner: z
      .object({ name: z.string(), status: z.enum(["live", "stopping", "lost", "stopped"]), leaseExpiresAt: instant })
      .nullable(),
    /** Its position in the queue of its workflow's limits; null when not queued. */
    queue: queueSchema.nullable(),
    /** Limits that its steps wait for permits of; empty while none does. */
    permits: z.array(permitWaitSchema),
    /**
     * The key of which one run lives at a time; empty when it is one of the workflow, null when it is made of masked
     * values. `heldBy`: the live run that has it, while this one has ended and cannot be reopened.
     */
    singleton: z.object({ key: z.string().nullable(), heldBy: z.uuid().nullable() }).nullable(),
    /** The event that started this run, when its workflow starts from one. */
    begunBy: z.object({ name: z.string(), id: z.string(), key: z.string().nullable() }).nullable(),
    /** Its child runs; counting stops at 10,000. */
    children: runTally,
    /** From the root of its tree down to its parent, 50 at most: the first has a parent when the tree is deeper. */
    ancestors: z.array(ancestorSchema),
    /** The deepest descendant, failed or in need of attention, that caused its failure or wait; null: the run itself. */
    rootCause: rootCauseSchema.nullable(),
    /** The tree exceeds the search limit (2,000 runs, 50 levels): a cause may be missing, or a deeper one exist. */
    rootCauseCapped: z.boolean(),
  })
  .meta({ id: "Run" });

export type Attempt = z.infer<typeof attemptSchema>;
export type Compensation = z.infer<typeof compensationSchema>;
export type Step = z.infer<typeof stepSchema>;
export type EventView = z.infer<typeof eventSchema>;
export type StepBar = z.infer<typeof stepBarSchema>;
export type Run = z.infer<typeof runSchema>;
export type RunListItem = z.infer<typeof runListItemSchema>;
export type RunTally = z.infer<typeof runTally>;
export type DriftView = z.infer<typeof driftSchema>;
export type AuditRow = z.infer<typeof auditRowSchema>;
export type ActState = z.infer<typeof actStateSchema>;
