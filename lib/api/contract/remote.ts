import { z } from "zod";
import { FOUR_EYES_ACTS } from "../../engine/operations/four-eyes";
import { MAX_LIMIT, MAX_RATE_MS } from "../../engine/queues/queue";
import { RUN_STATUSES } from "../../engine/runs/run";
import { EFFECTS } from "../../engine/steps/step";
import { plainJson, plainText } from "./requests";
import { instant, json } from "./run";
import { serializedError } from "./serialized-error";

/** Bounds of the lease of a worker over HTTP, in milliseconds; a beat is due at a quarter of it. */
export const LEASE_MS = { least: 1_000, most: 600_000, usual: 30_000 };
/** A claim that finds nothing waits this long at the most. */
const MAX_CLAIM_WAIT_MS = 30_000;
const MAX_CLAIM = 50;
const TEN_YEARS_MS = 3_650 * 86_400_000;

/** With every question about a claim: the secret that came with it. */
export const CLAIM_HEADER = "handrail-claim";

const milliseconds = z.number().min(0).max(TEN_YEARS_MS);
const delays = {
  initialDelayMs: milliseconds.optional(),
  factor: z.number().min(1).max(1_000).optional(),
  maxDelayMs: milliseconds.optional(),
  jitter: z.number().min(0).max(1).optional(),
};
const retry = z.strictObject({ maxAttempts: z.int().min(1).max(1_000_000).optional(), ...delays });

/** Leads into the input, as RFC 6901 says. */
const pointer = plainText.max(500).regex(/^(\/[^/]*)+$/, "Write a JSON Pointer, such as /order/id.");
const limit = z.int().min(1).max(MAX_LIMIT);

export const remoteWorkflowSchema = z
  .strictObject({
    name: plainText.min(1).max(100),
    version: z.int().min(1).max(2_147_483_647).default(1),
    title: plainText.min(1).max(200).optional(),
    /** JSON Schema of its input. Without one, any input is taken. */
    inputSchema: z.record(plainText, plainJson).optional(),
    retry: retry.optional(),
    timeoutMs: z.number().min(1).max(TEN_YEARS_MS).optional(),
    onFailure: z.enum(["stop", "compensate"]).optional(),
    /** Acts on its runs that take a second person. */
    fourEyes: z.array(z.enum(FOUR_EYES_ACTS)).max(FOUR_EYES_ACTS.length).optional(),
    /** Business keys by which people find its runs: each a JSON Pointer into the input. */
    tags: z
      .record(plainText.min(1).max(64), pointer)
      .refine((all) => Object.keys(all).length <= 16, { error: "A run takes 16 tags at most." })
      .optional(),
    /** What people are not shown of its runs: paths such as "card.number". */
    masked: z.array(plainText.min(1).max(200)).max(100).optional(),
    concurrency: z.strictObject({ limit, key: pointer.optional() }).optional(),
    rateLimit: z.strictObject({ limit, perMs: z.int().min(1).max(MAX_RATE_MS), key: pointer.optional() }).optional(),
  })
  .meta({ id: "RemoteWorkflow" });

export const registrationRequest = z
  .strictObject({
    /** For people: host and process. */
    name: plainText.min(1).max(200),
    /** For people, such as "Python 3.12". */
    language: plainText.min(1).max(100),
    workflows: z.array(remoteWorkflowSchema).min(1).max(100),
    /** Runs that it owns at once, for people. */
    concurrency: z.int().min(1).max(10_000).default(1),
    leaseMs: z.int().min(LEASE_MS.least).max(LEASE_MS.most).default(LEASE_MS.usual),
  })
  .meta({ id: "RegistrationRequest" });

export const registrationResponse = z
  .object({
    workerId: z.string(),
    /** Silent for so long, it loses its runs. */
    leaseMs: z.int(),
  })
  .meta({ id: "Registration" });

const runIds = z.array(z.uuid());

export const heartbeatResponse = z
  .object({
    leaseMs: z.int(),
    /** Of its runs, those that a person wants cancelled: begin no step of them any more, and hand them back. */
    cancelled: runIds,
    /** Those that a person wants paused, or whose workflow is held whole: the same. */
    paused: runIds,
    /** Those for which something has come that they wait for. */
    woken: runIds,
  })
  .meta({ id: "Heartbeat" });

export const claimsRequest = z
  .strictObject({
    limit: z.int().min(1).max(MAX_CLAIM).default(1),
    /** Waits so long for a run if there is none. */
    waitMs: z.int().min(0).max(MAX_CLAIM_WAIT_MS).default(0),
  })
  .meta({ id: "ClaimsRequest" });

export const claimsResponse = z
  .object({
    runs: z.array(
      z.object({
        id: z.uuid(),
        /** Goes with everything that is said of this claim; a later claim of the run has a higher one. */
        epoch: z.int(),
        /** Goes into the Handrail-Claim header of everything that is said of this claim. It is not shown again. */
        secret: z.string(),
        /** `compensating`: its code is over; ask for its undos instead. */
        status: z.enum(["running", "compensating"]),
        workflow: z.string(),
        /** The one it began with. */
        version: z.int(),
        /** The one whose code is to go on with it: that one, one that an operator has chosen, or else the worker's newest. */
        codeVersion: z.int(),
        generation: z.int(),
        input: json,
        tags: z.record(z.string(), z.string()),
        createdAt: instant,
        /** Until the run's own timeout; null without one. */
        endsInMs: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: "Claims" });

export const departureResponse = z
  .object({
    /** Runs that it still owns: they are taken over when its lease ends. */
    running: z.int(),
  })
  .meta({ id: "Departure" });

/** Of the claim. */
const epoch = z.int().min(0);

export const attemptRequest = z
  .union([
    z.strictObject({
      epoch,
      kind: z.literal("step").default("step"),
      effect: z.enum(EFFECTS).default("idempotent"),
      retry: retry.optional(),
    }),
    /** From the first time that it is asked for on, by the database's clock. */
    z.strictObject({ epoch, kind: z.literal("sleep"), forMs: milliseconds }),
    z.strictObject({ epoch, kind: z.literal("sleep"), until: instant }),
    z.strictObject({
      epoch,
      kind: z.literal("event"),
      event: plainText.min(1).max(200),
      /** Also the events that are sent to this business key. */
      key: plainText.min(1).max(255).optional(),
      timeoutMs: milliseconds.optional(),
      /** Comes back when the time is up; without it, the step fails. */
      default: json.optional(),
    }),
    z.strictObject({
      epoch,
      kind: z.literal("approval"),
      question: plainText.min(1).max(2_000),
      choices: z.array(plainText.min(1).max(60)).min(1).max(10).optional(),
      /** What the person should see to decide. */
      data: json.optional(),
      timeoutMs: milliseconds.optional(),
      /** Counts as chosen when the time is up; without it, the step fails. */
      default: plainText.min(1).max(60).optional(),
    }),
  ])
  .meta({ id: "AttemptRequest" });

const completed = z.object({ next: z.literal("completed"), output: json, reference: z.string().nullable() });
const failed = z.object({ next: z.literal("failed"), error: serializedError });
const wait = z.object({
  /** Hand the run back, naming this step. */
  next: z.literal("wait"),
  /** `operator`: its outcome is unknown, and a person says what happened. */
  for: z.enum(["retry", "timer", "event", "approval", "operator"]),
  /** By the database's clock; null when only a person ends it. */
  until: instant.nullable(),
  inMs: z.number().nullable(),
});

export const permissionSchema = z
  .union([
    z.object({
      /** Run its body once, now, and record what it comes to under this attempt. */
      next: z.literal("go"),
      attempt: z.int(),
      epoch: z.int(),
      /** For the receiver: the same for every attempt. */
      idempotencyKey: z.string(),
    }),
    completed,
    failed,
    wait,
    z.object({
      /** Begin nothing more, and hand the run back. */
      next: z.literal("stop"),
      because: z.enum(["cancelled", "timed_out", "paused", "held"]),
    }),
  ])
  .meta({ id: "Permission" });

const toldError = serializedError;

export const outcomeRequest = z
  .discriminatedUnion("outcome", [
    z
      .strictObject({
        epoch,
        /** As the answer to the question said. */
        attempt: z.int().min(1),
        outcome: z.literal("completed"),
        output: json,
        /** The receiver's own id for what happened. */
        reference: plainText.min(1).max(500).optional(),
        /** How it is undone: by its worker, who is asked by the step's name, or by a person, as the instructions say. */
        compensate: z.enum(["automatic", "manual"]).optional(),
        instructions: plainText.min(1).max(4_000).optional(),
      })
      .refine(({ compensate, instructions }) => instructions === undefined || compensate === "manual", {
        error: 'Instructions are for an undo by hand: add compensate: "manual".',
        path: ["instructions"],
      }),
    z.strictObject({
      epoch,
      attempt: z.int().min(1),
      outcome: z.literal("failed"),
      error: toldError,
      /** False: it failed for good, and that settles any doubt about earlier attempts. */
      retryable: z.boolean().default(true),
      /** Tried again after exactly so long, if attempts are left. */
      retryAfterMs: milliseconds.optional(),
      /** The effect may have happened although the body failed. A step with effect once stops there. */
      mayHaveHappened: z.boolean().default(false),
      /** Over the workflow's; how often it is tried was said when it was asked for. */
      retry: z.strictObject(delays).optional(),
    }),
  ])
  .meta({ id: "OutcomeRequest" });

export const standingSchema = z.union([completed, failed, wait]).meta({ id: "StepStanding" });

export const undosRequest = z.strictObject({ epoch }).meta({ id: "UndosRequest" });

export const nextUndoSchema = z
  .discriminatedUnion("next", [
    z.object({
      next: z.literal("undo"),
      step: z.string(),
      generation: z.int(),
      attempt: z.int(),
      /** Of the undo, never the step's own. */
      idempotencyKey: z.string(),
      /** What the step gave. */
      output: json,
    }),
    /** The claim has ended: everything is undone, or what is next waits for a person or a retry. */
    z.object({ next: z.literal("none"), status: z.enum(RUN_STATUSES) }),
  ])
  .meta({ id: "NextUndo" });

const ofUndo = { epoch, generation: z.int().min(1), attempt: z.int().min(1) };

export const undoOutcomeRequest = z
  .discriminatedUnion("outcome", [
    z.strictObject({ ...ofUndo, outcome: z.literal("completed") }),
    z.strictObject({
      ...ofUndo,
      outcome: z.literal("failed"),
      error: toldError,
      retryable: z.boolean().default(true),
      retryAfterMs: milliseconds.optional(),
      retry: retry.optional(),
    }),
  ])
  .meta({ id: "UndoOutcomeRequest" });

export const undoStandingSchema = z
  .object({
    /** `owed`: tried again by the policy. `failed`: a person does it, and what completed before it waits behind it. */
    status: z.enum(["completed", "owed", "failed"]),
  })
  .meta({ id: "UndoStanding" });

export const handBackRequest = z
  .strictObject({
    epoch,
    /** Steps whose answer was to wait; without any, the run is claimable again at once. */
    waitsFor: z.array(plainText.min(1).max(200)).max(1_000).default([]),
    /** The least `inMs` that their answers said: the run is claimable again by then. */
    inMs: milliseconds.optional(),
  })
  .meta({ id: "HandBackRequest" });

export const runEndRequest = z
  .discriminatedUnion("outcome", [
    z.strictObject({ epoch, outcome: z.literal("completed"), output: json }),
    z.strictObject({
      epoch,
      outcome: z.literal("failed"),
      error: toldError,
      /** The failed step that it came from. */
      failedStep: plainText.min(1).max(200).optional(),
    }),
  ])
  .meta({ id: "RunEndRequest" });

export const claimEndResponse = z
  .object({
    /** What the run is now. */
    status: z.enum(RUN_STATUSES),
  })
  .meta({ id: "ClaimEnd" });
