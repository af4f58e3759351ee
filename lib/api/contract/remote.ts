import { z } from "zod";
import { LONGEST_MS } from "../../engine/duration";
import { FOUR_EYES_ACTS } from "../../engine/operations/four-eyes";
import { MAX_LIMIT, MAX_RATE_MS } from "../../engine/queues/queue";
import { SINGLETON_CONFLICTS } from "../../engine/queues/singleton";
import { RUN_STATUSES } from "../../engine/runs/run";
import { MOST_ATTEMPTS } from "../../engine/steps/retry-policy";
import { EFFECTS } from "../../engine/steps/step";
import { compensation, INSTRUCTIONS_ARE_MANUAL, instructionsAreManual } from "./declared-compensation";
import { plainJson, plainText } from "./requests";
import { instant, json } from "./run";
import { serializedError } from "./serialized-error";

/** Bounds of the lease of a worker over HTTP, in milliseconds; heartbeats are due every quarter of it. */
export const LEASE_MS = { least: 1_000, most: 600_000, usual: 30_000 };
/** A claim that finds nothing waits at most this long. */
const MAX_CLAIM_WAIT_MS = 30_000;
const MAX_CLAIM = 50;

/** Sent with every request about a claim: the secret that came with it. */
export const CLAIM_HEADER = "handrail-claim";

const milliseconds = z.number().min(0).max(LONGEST_MS);
const delays = {
  initialDelayMs: milliseconds.optional(),
  factor: z.number().min(1).max(1_000).optional(),
  maxDelayMs: milliseconds.optional(),
  jitter: z.number().min(0).max(1).optional(),
};
const retry = z.strictObject({ maxAttempts: z.int().min(1).max(MOST_ATTEMPTS).optional(), ...delays });

/** A path into the input, by RFC 6901. */
const pointer = plainText.max(500).regex(/^(\/[^/]*)+$/, "Write a JSON Pointer, such as /order/id.");
const limit = z.int().min(1).max(MAX_LIMIT);

export const remoteWorkflowSchema = z
  .strictObject({
    name: plainText.min(1).max(100),
    version: z.int().min(1).max(2_147_483_647).default(1),
    title: plainText.min(1).max(200).optional(),
    /** JSON Schema of its input. Without one, any input is accepted. */
    inputSchema: z.record(plainText, plainJson).optional(),
    retry: retry.optional(),
    timeoutMs: z.number().min(1).max(LONGEST_MS).optional(),
    onFailure: z.enum(["stop", "compensate"]).optional(),
    /** Actions on its runs that require a second person. */
    fourEyes: z.array(z.enum(FOUR_EYES_ACTS)).max(FOUR_EYES_ACTS.length).optional(),
    /** Business keys to find its runs by: each a JSON Pointer into the input. */
    tags: z
      .record(plainText.min(1).max(64), pointer)
      .refine((all) => Object.keys(all).length <= 16, { error: "A run takes 16 tags at most." })
      .optional(),
    /** What people call a run: a text with JSON Pointers into the input in braces, such as "Order {/order/id}". */
    runTitle: plainText.min(1).max(500).optional(),
    /** Parts of its runs that are masked: paths such as "card.number". */
    masked: z.array(plainText.min(1).max(200)).max(100).optional(),
    /** Names of masked tags that everyone who may search runs finds by their whole value. */
    searchable: z.array(plainText.min(1).max(64)).max(16).optional(),
    concurrency: z.strictObject({ limit, key: pointer.optional() }).optional(),
    rateLimit: z.strictObject({ limit, perMs: z.int().min(1).max(MAX_RATE_MS), key: pointer.optional() }).optional(),
    singleton: z
      .strictObject({ key: pointer.optional(), onConflict: z.enum(SINGLETON_CONFLICTS).optional() })
      .optional(),
  })
  .meta({ id: "RemoteWorkflow" });

export const registrationRequest = z
  .strictObject({
    /** For people: host and process. */
    name: plainText.min(1).max(200),
    /** For people, such as "Python 3.12". */
    language: plainText.min(1).max(100),
    workflows: z.array(remoteWorkflowSchema).min(1).max(100),
    /** Runs that it owns at once, for display. */
    concurrency: z.int().min(1).max(10_000).default(1),
    leaseMs: z.int().min(LEASE_MS.least).max(LEASE_MS.most).default(LEASE_MS.usual),
    /** The commit or the version of its code, as HANDRAIL_BUILD: the first worker of a new one marks a deploy. */
    build: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/, "Give the build in 1 to 200 visible ASCII characters, without spaces.")
      .optional(),
  })
  .meta({ id: "RegistrationRequest" });

export const registrationResponse = z
  .object({
    workerId: z.string(),
    /** After this much silence it loses its runs. */
    leaseMs: z.int(),
  })
  .meta({ id: "Registration" });

const runIds = z.array(z.uuid());

export const heartbeatResponse = z
  .object({
    leaseMs: z.int(),
    /** Of its runs, those to be cancelled: begin no more steps, and hand them back. */
    cancelled: runIds,
    /** Those to be paused, or whose workflow is paused: the same. */
    paused: runIds,
    /** Those that have received something that they wait for. */
    woken: runIds,
  })
  .meta({ id: "Heartbeat" });

export const claimsRequest = z
  .strictObject({
    limit: z.int().min(1).max(MAX_CLAIM).default(1),
    /** Waits this long for a run if there is none. */
    waitMs: z.int().min(0).max(MAX_CLAIM_WAIT_MS).default(0),
  })
  .meta({ id: "ClaimsRequest" });

export const claimsResponse = z
  .object({
    runs: z.array(
      z.object({
        id: z.uuid(),
        /** Sent with every request about this claim; a later claim of the run has a higher one. */
        epoch: z.int(),
        /** Sent in the Handrail-Claim header of every request about this claim. Not shown again. */
        secret: z.string(),
        /** `compensating`: its code has ended; ask for its compensations instead. */
        status: z.enum(["running", "compensating"]),
        workflow: z.string(),
        /** The version it began with. */
        version: z.int(),
        /**
         * The version whose code must continue it: the original one, one that an operator chose, or the worker's
         * newest.
         */
        codeVersion: z.int(),
        generation: z.int(),
        input: json,
        tags: z.record(z.string(), z.string()),
        /** Of its start: for its code, to send on to services. */
        headers: z.record(z.string(), z.string()),
        createdAt: instant,
        /** Until the run's own timeout; null without one. */
        endsInMs: z.number().nullable(),
        /** The W3C trace context of its start, for the worker's own spans and requests; null if the start had none. */
        traceparent: z.string().nullable(),
        tracestate: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: "Claims" });

export const departureResponse = z
  .object({
    /** Runs that it still owns: they are taken over when its lease expires. */
    running: z.int(),
  })
  .meta({ id: "Departure" });

/** Of the claim. */
const epoch = z.int().min(0);

export const attemptRequest = z
  .union([
    z
      .strictObject({
        epoch,
        kind: z.literal("step").default("step"),
        effect: z.enum(EFFECTS).default("idempotent"),
        retry: retry.optional(),
        /** Known before the body runs, and so also of a step whose outcome an operator declares or supplies. */
        ...compensation,
      })
      .refine(instructionsAreManual, INSTRUCTIONS_ARE_MANUAL),
    /** Counted from the first request on, by the database's clock. */
    z.strictObject({ epoch, kind: z.literal("sleep"), forMs: milliseconds }),
    z.strictObject({ epoch, kind: z.literal("sleep"), until: instant }),
    z.strictObject({
      epoch,
      kind: z.literal("event"),
      event: plainText.min(1).max(200),
      /** Also the events that are sent to this business key. */
      key: plainText.min(1).max(255).optional(),
      /** Only events whose payload fits: conditions by field, as `where` of `ctx.waitForEvent`. */
      where: z.record(z.string(), json).optional(),
      timeoutMs: milliseconds.optional(),
      /** The value on timeout; without it, the step fails. */
      default: json.optional(),
    }),
    z.strictObject({
      epoch,
      kind: z.literal("approval"),
      question: plainText.min(1).max(2_000),
      choices: z.array(plainText.min(1).max(60)).min(1).max(10).optional(),
      /** What the person needs to know to decide. */
      data: json.optional(),
      timeoutMs: milliseconds.optional(),
      /** The choice on timeout; without it, the step fails. */
      default: plainText.min(1).max(60).optional(),
    }),
  ])
  .meta({ id: "AttemptRequest" });

const completed = z.object({ next: z.literal("completed"), output: json, reference: z.string().nullable() });
const failed = z.object({ next: z.literal("failed"), error: serializedError });
const wait = z.object({
  /** Hand the run back, naming this step. */
  next: z.literal("wait"),
  /** `operator`: its outcome is unknown, and an operator must resolve it. */
  for: z.enum(["retry", "timer", "event", "approval", "operator"]),
  /** By the database's clock; null when only a person ends it. */
  until: instant.nullable(),
  inMs: z.number().nullable(),
});

export const permissionSchema = z
  .union([
    z.object({
      /** Run its body once, now, and record the outcome under this attempt. */
      next: z.literal("go"),
      attempt: z.int(),
      epoch: z.int(),
      /** For the provider: the same for every attempt. */
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
        /** From the answer to the question. */
        attempt: z.int().min(1),
        outcome: z.literal("completed"),
        output: json,
        /** The provider's id for the effect. */
        reference: plainText.min(1).max(500).optional(),
        /** In place of what was declared when the step was requested, if this is given. */
        ...compensation,
      })
      .refine(instructionsAreManual, INSTRUCTIONS_ARE_MANUAL),
    z.strictObject({
      epoch,
      attempt: z.int().min(1),
      outcome: z.literal("failed"),
      error: toldError,
      /** False: a permanent failure, which also settles doubts about earlier attempts. */
      retryable: z.boolean().default(true),
      /** Retried after exactly this long, if attempts are left. */
      retryAfterMs: milliseconds.optional(),
      /** The effect may have happened although the body failed. A step with effect once stops there. */
      mayHaveHappened: z.boolean().default(false),
      /** Over the workflow's; the retry limit was set when the step was requested. */
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
      /** Of the compensation, never the step's own. */
      idempotencyKey: z.string(),
      /** The step's output. */
      output: json,
    }),
    /** The claim has ended: everything is compensated, or the next one waits for a person or a retry. */
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
    /** `owed`: retried by the policy. `failed`: needs a person, and blocks the compensations behind it. */
    status: z.enum(["completed", "owed", "failed"]),
  })
  .meta({ id: "UndoStanding" });

export const handBackRequest = z
  .strictObject({
    epoch,
    /** Steps whose answer was to wait; without any, the run is claimable again at once. */
    waitsFor: z.array(plainText.min(1).max(200)).max(1_000).default([]),
    /** The least `inMs` of their answers: the run is claimable again by then. */
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
      /** The failed step that caused it. */
      failedStep: plainText.min(1).max(200).optional(),
    }),
  ])
  .meta({ id: "RunEndRequest" });

export const claimEndResponse = z
  .object({
    /** The run's new status. */
    status: z.enum(RUN_STATUSES),
  })
  .meta({ id: "ClaimEnd" });
