import { z } from "zod";
import { COMPENSATION_MODES, COMPENSATION_STATUSES } from "../../engine/compensations/compensation";
import { INTAKE_HOLDS } from "../../engine/queues/intake";
import { HOLDS } from "../../engine/queues/queue";
import { OPERATOR_ACTS } from "../../engine/runs/operator-acts";
import { ATTENTIONS, RUN_STATUSES, WAIT_KINDS } from "../../engine/runs/run";
import { ATTEMPT_STATUSES, EFFECTS, STEP_KINDS, STEP_STATUSES } from "../../engine/steps/step";
import { auditRowSchema } from "./audit-row";
import { limitFields } from "./limits";
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
    /** What the code asks the person to do, for an undo by hand. */
    instructions: z.string().nullable(),
    attempt: z.int(),
    nextAttemptAt: instant.nullable(),
    owedAt: instant.nullable(),
    finishedAt: instant.nullable(),
    /** Who has taken it, or was given it by whom. */
    assignee: z.string().nullable(),
    assignedBy: z.string().nullable(),
    assignedAt: instant.nullable(),
    /** An http(s) address at which what a person did can be looked at. */
    evidence: z.string().nullable(),
  })
  .meta({ id: "Compensation" });

export const waitSchema = z
  .object({
    /** Name of the event; null for a question. */
    event: z.string().nullable(),
    /** The business key whose events it takes too. */
    key: z.string().nullable(),
    /** What a person is asked, and the answers there are; null and empty for an event. */
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
    /** Null: nobody has waited for it yet. */
    takenByStep: z.string().nullable(),
    takenAt: instant.nullable(),
    /** How often it came again with its id, which changed nothing, and when last. */
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
    /** Order in which the steps came to their outcomes, as the code was told of them; null without one. */
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
    /** Whether the code can ask the receiver what became of an unknown outcome. */
    canAsk: z.boolean(),
    /** The repair generation whose rerun set this result aside; null while the result stands. */
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

/** What lists show of a step: enough for one bar of colour. */
export const stepBarSchema = z
  .object({ name: z.string(), status: z.enum(STEP_STATUSES), attempt: z.int(), maxAttempts: z.int() })
  .meta({ id: "StepBar" });

/** How an operator has closed the intake of a workflow. */
export const closedIntakeSchema = z
  .object({
    /** `new`: runs that have not begun; `all`: those that have, too. */
    holds: z.enum(INTAKE_HOLDS),
    closedBy: z.string(),
    reason: z.string(),
    closedAt: instant,
  })
  .meta({ id: "ClosedIntake" });

const runFields = {
  id: z.uuid(),
  workflow: z.string(),
  /** The workflow's title, or its name where no worker has told one. */
  title: z.string(),
  /** The one it began with. */
  version: z.int(),
  /** The one that an operator has chosen for it: only workers that have it go on with the run. */
  chosenVersion: z.int().nullable(),
  /** The one that took it up last. */
  codeVersion: z.int(),
  status: z.enum(RUN_STATUSES),
  waitingFor: waitingForSchema.nullable(),
  attention: z.enum(ATTENTIONS).nullable(),
  input: json,
  output: json.nullable(),
  error: serializedError.nullable(),
  /** The step whose failure failed the run. */
  failedStep: z.string().nullable(),
  tags: z.record(z.string(), z.string()),
  idempotencyKey: z.string().nullable(),
  priority: z.int(),
  parentRunId: z.uuid().nullable(),
  /** The parent's step that started this run. */
  parentStep: z.string().nullable(),
  generation: z.int(),
  /** Rises with every change of the run's own state; an act may send the one it saw. */
  revision: z.int(),
  cancelRequestedAt: instant.nullable(),
  /** Since when an operator wants it paused: a running run comes to rest first. Null when nobody does. */
  pauseRequestedAt: instant.nullable(),
  /** The run whose pause, with its children, holds this one; its own id where it is that run. */
  pauseRoot: z.uuid().nullable(),
  runAt: instant.nullable(),
  workerId: z.string().nullable(),
  /** The closed intake of its workflow that keeps it from going on; null when none does. */
  heldBy: closedIntakeSchema.nullable(),
  /** How far its code says it has come; null while it says nothing. */
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
    /** The first 12 steps that stand, in order. */
    stepBar: z.array(stepBarSchema),
    stepCount: z.int(),
    /** Of the limits that it stands in a queue for; empty in the one queue of its workflow, null while it stands in none. */
    queueKey: z.string().nullable(),
    /** Of the worker that has it. */
    workerName: z.string().nullable(),
    /** What lies at each of the `paths` that were asked for, in the keys that lead to it and without what stands beside it. */
    picked: z.record(z.string(), json).optional(),
  })
  .meta({ id: "RunListItem" });

/** An operator's act on this run, and whether it is open now. */
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
    /** The limit that holds it back; null when none does, and it goes on with the next claim. */
    heldBy: z.enum(HOLDS).nullable(),
    /** Runs that somebody works on: of the queue, and of all queues of the workflow (0 without a limit over them). */
    holding: z.int(),
    totalHolding: z.int(),
    /** As they bind now: an operator's, or those of the code. */
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

export const ancestorSchema = z
  .object({
    runId: z.uuid(),
    /** Null in the root of the tree. */
    parentRunId: z.uuid().nullable(),
    /** The step of its parent that started it. */
    parentStep: z.string().nullable(),
    workflow: z.string(),
    status: z.enum(RUN_STATUSES),
  })
  .meta({ id: "Ancestor" });

export const rootCauseSchema = z
  .object({
    runId: z.uuid(),
    workflow: z.string(),
    status: z.enum(RUN_STATUSES),
    /** What it needs a person for; null of one that is paused, was cancelled or undone. */
    attention: z.enum(ATTENTIONS).nullable(),
    failedStep: z.string().nullable(),
    waitingStep: z.string().nullable(),
    error: serializedError.nullable(),
    /** From the run's own child down to this one. */
    way: z.array(z.object({ runId: z.uuid(), workflow: z.string(), parentStep: z.string() })),
  })
  .meta({ id: "RootCause" });

export const driftSchema = z
  .object({
    generation: z.int(),
    /** Of the code that has drifted from what the run has done. */
    version: z.int(),
    /** Done steps that it did not come to, 100 at the most; and how many there are. */
    gone: z.array(z.string()),
    goneCount: z.int(),
    /** The step that came before them, or would have; null for the end of the code. */
    next: z.string().nullable(),
    /** Whether the run stopped there, or went on. */
    stopped: z.boolean(),
    at: instant,
  })
  .meta({ id: "Drift" });

export const runSchema = z
  .object({
    ...runFields,
    steps: z.array(stepSchema),
    /** Of a run of more than 5,000 steps: how many are not among `steps`, which has all that are not done (5,000 at the most), the first and the last. */
    stepsLeftOut: z.int().nonnegative(),
    acts: z.array(actStateSchema),
    /** The nominal time of the schedule that started it; null where none did. */
    scheduledAt: instant.nullable(),
    /** The run in whose place a person has started this one; null where there is none (any more). */
    startedFrom: z.uuid().nullable(),
    /** Runs that were started in the place of this one, newest first; 20 at the most. */
    startedAs: z.array(z.uuid()),
    /** The one right next thing for a person, or null. */
    primaryAct: z.enum(OPERATOR_ACTS).nullable(),
    /** Sent to the run or taken by it, newest first, 200 at the most. */
    events: z.array(eventSchema),
    audit: z.array(auditRowSchema),
    /** Claims whose worker fell silent: what was running then may have run without a record. */
    lostClaims: z.array(z.object({ workerId: z.string(), at: instant })),
    /** Whenever another version than before took it up, in order. */
    versionChanges: z.array(z.object({ version: z.int(), generation: z.int(), at: instant })),
    /** What passes have found their code to leave out, by generation. */
    drift: z.array(driftSchema),
    /** False when no live worker has this workflow, or not the version that was chosen for it. */
    workerAvailable: z.boolean(),
    /** The payload key that it needs and that no live worker of its workflow has; null for none. */
    missingKey: z.string().nullable(),
    /** The worker that works on it now. One that is `lost` has let its lease end: another is about to take the run over. */
    owner: z
      .object({ name: z.string(), status: z.enum(["live", "stopping", "lost", "stopped"]), leaseExpiresAt: instant })
      .nullable(),
    /** Where it stands in the queue of its workflow's limits; null while it stands in none. */
    queue: queueSchema.nullable(),
    /** The event that began this run, where its workflow begins with one. */
    begunBy: z.object({ name: z.string(), id: z.string(), key: z.string().nullable() }).nullable(),
    /** Runs that this one has started; counting stops at 10,000. */
    children: runTally,
    /** From the root of its tree down to its parent, 50 at the most: the first one has a parent where the tree is deeper. */
    ancestors: z.array(ancestorSchema),
    /**
     * The deepest run below, failed or else in need of a person, that this one failed by or waits for through any number of
     * others; null when it is its own cause.
     */
    rootCause: rootCauseSchema.nullable(),
    /** There is more below than is looked through (2,000 runs, 50 levels): a cause may not be named, or a deeper one. */
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
export type Ancestor = z.infer<typeof ancestorSchema>;
export type RootCause = z.infer<typeof rootCauseSchema>;
export type DriftView = z.infer<typeof driftSchema>;
export type AuditRow = z.infer<typeof auditRowSchema>;
export type ActState = z.infer<typeof actStateSchema>;
