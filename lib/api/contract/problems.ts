import { z } from "zod";
import { MAX_ASSIGNEE } from "../../engine/compensations/compensation-board";
import { MOST_TRIES, PROBE_STATUSES, TRY_OUTCOMES } from "../../engine/problems/probe";
import { PROBLEM_ACTS, PROBLEM_EVENTS, PROBLEM_KINDS, PROBLEM_STATUSES } from "../../engine/problems/problem";
import { OPERATOR_ACTS } from "../../engine/runs/operator-acts";
import { deploySchema } from "./deploys";
import { planItemSchema } from "./plans";
import { list, page, plainText, reason, revision } from "./requests";
import { runNaming } from "./run-naming";
import { serializedError } from "./serialized-error";
import { givenId, instant } from "./values";

const series = z.object({
  /** Start of the first bar. */
  from: instant,
  /** How long each is. */
  minutes: z.int(),
  /** Failures, oldest first. */
  counts: z.array(z.int()),
});

export const problemSchema = z
  .object({
    id: z.string(),
    kind: z.enum(PROBLEM_KINDS),
    workflow: z.string(),
    title: z.string(),
    /** Without the numbers of a loop; null: between steps. */
    step: z.string().nullable(),
    errorName: z.string(),
    status: z.enum(PROBLEM_STATUSES),
    assignee: z.string().nullable(),
    mutedUntil: instant.nullable(),
    /** Muted until this many failures are counted in all. */
    mutedToCount: z.int().nullable(),
    /** Where Handrail resolved it: since when no run has had it. */
    resolvedAt: instant.nullable(),
    /** Failures of older versions do not open it again. */
    resolvedIn: z.int().nullable(),
    /** It failed again after it was marked resolved, or in a run that was repaired of it. */
    cameBack: z.object({ after: z.enum(["resolved", "rerun"]), at: instant }).nullable(),
    failures: z.int(),
    /** Of these, failures with retries exhausted. */
    exhausted: z.int(),
    /** Of these, failures of runs that had been repaired of it. */
    returned: z.int(),
    /** Runs that it holds now: failed, in doubt, or with a failed compensation. */
    openRuns: z.int(),
    firstAt: instant,
    lastAt: instant,
    /** The latest. */
    example: z.object({
      runId: z.string(),
      step: z.string().nullable(),
      version: z.int(),
      error: serializedError.nullable(),
      /** Its message without the parts that differ between runs. */
      pattern: z.string(),
    }),
    /** The last 24 hours. */
    sparkline: series,
    revision: z.int(),
    /** Null: the caller does not watch it. */
    watch: z
      .object({
        /** The latest entry of its history that the caller has not seen. */
        change: z.object({ what: z.enum(PROBLEM_EVENTS), by: z.string().nullable(), at: instant }).nullable(),
      })
      .nullable(),
  })
  .meta({ id: "Problem" });

/** Reruns of affected runs, one after another, until one gets through the failing step. */
export const probeSchema = z
  .object({
    id: z.string(),
    status: z.enum(PROBE_STATUSES),
    /** Why it ended without a run that got through; null while it is under way, too. */
    because: z.string().nullable(),
    startedBy: z.string(),
    reason: z.string(),
    mostTries: z.int(),
    /** When the next rerun is due; null: one is under way, or it has ended. */
    nextAt: instant.nullable(),
    startedAt: instant,
    endedAt: instant.nullable(),
    /** In order, 20 at most. */
    tries: z.array(
      z.object({
        number: z.int(),
        runId: z.string(),
        /** Null when it no longer exists. */
        named: runNaming.nullable(),
        at: instant,
        /** Null while it is under way. */
        outcome: z.enum(TRY_OUTCOMES).nullable(),
        because: z.string().nullable(),
        endedAt: instant.nullable(),
      }),
    ),
  })
  .meta({ id: "Probe" });

/** What a probe would begin with, and how it would go on. */
export const probeCandidateSchema = z
  .object({
    /** What the rerun of the first run would do, as in a plan; null: none can be rerun without a decision. */
    candidate: planItemSchema.omit({ position: true }).nullable(),
    /** Why there is none. */
    because: z.string().nullable(),
    /** Reruns at most, unless a request says otherwise. */
    tries: z.int(),
    /** Between them, in milliseconds. */
    pausesMs: z.array(z.int()),
  })
  .meta({ id: "ProbeCandidate" });

export const problemDetailSchema = problemSchema
  .extend({
    /** Of the workflow's newest `ofRuns` runs, those that got through the failing step after the last failure. */
    sinceLastFailure: z.object({ successes: z.int(), lastAt: instant.nullable(), ofRuns: z.int() }),
    /** Latest first, 50 at most. */
    versions: z.array(z.object({ version: z.int(), failures: z.int(), firstAt: instant, lastAt: instant })),
    /** Actions, notes and reopenings; latest first, 100 at most. */
    history: z.array(
      z.object({
        id: z.string(),
        at: instant,
        what: z.enum(PROBLEM_EVENTS),
        /** Null: automatic. */
        by: z.string().nullable(),
        text: z.string(),
      }),
    ),
    charts: z.object({ hour: series, day: series, week: series }),
    /** Of the last week, oldest first; the latest 50. */
    deploys: z.array(deploySchema),
    /** The last deploy before it began, or came back; null: none within the day before. */
    deployBefore: deploySchema.nullable(),
    /** The latest; null: never probed. */
    probe: probeSchema.nullable(),
    /** In the order in which they began, 50 at most. */
    watchers: z.array(z.object({ name: z.string(), you: z.boolean() })),
    acts: z.array(z.object({ act: z.enum(PROBLEM_ACTS), open: z.boolean(), because: z.string().nullable() })),
    /** Age of the oldest failure that is not counted yet, in milliseconds. */
    behindMs: z.number(),
  })
  .meta({ id: "ProblemDetail" });

export const problemTriedSchema = z
  .object({
    /** Newest first, 50 at most. */
    tried: z.array(
      z
        .object({
          id: z.string(),
          at: instant,
          by: z.string(),
          act: z.enum([...OPERATOR_ACTS, "probe"]),
          step: z.string().nullable(),
          reason: z.string(),
          /** Runs that it was done to, of those that have the problem or had it last. */
          runs: z.int(),
          /** Of these, runs that do not have the problem now. */
          left: z.int(),
          /** Of these, runs that failed again since. */
          again: z.int(),
          /** The run, where it is one. */
          runId: z.string().nullable(),
          named: runNaming.nullable(),
          /** The bulk action that it was part of. */
          operationId: z.string().nullable(),
          /** Of a probe. */
          probe: z
            .object({ status: z.enum(PROBE_STATUSES), because: z.string().nullable(), tries: z.int() })
            .nullable(),
        })
        .meta({ id: "ProblemTry" }),
    ),
    /** So many of the workflow's newest actions were read. */
    ofActions: z.int(),
  })
  .meta({ id: "ProblemTried" });

/** On the overview. */
export const problemOverview = z.object({
  /** Open problems that hold runs; counting stops at 10,000. */
  open: z.int(),
  /** The 8 that hold most. */
  holding: z.array(problemSchema),
  /** The latest 8 that the caller watches and that changed since they looked. */
  changed: z.array(problemSchema),
  /** Age of the oldest failure that is not counted yet, in milliseconds. */
  behindMs: z.number(),
});

export const problemFilter = z
  .strictObject({
    status: list(z.enum(PROBLEM_STATUSES)).optional(),
    workflow: list(plainText.min(1).max(200)).optional(),
    assignee: plainText.trim().min(1).max(MAX_ASSIGNEE).optional(),
    /** `true`: only those that the caller watches. */
    watched: z.enum(["true"]).optional(),
    /** A part of the error's name or message, of the step's or the workflow's name. */
    q: plainText.trim().max(300).optional(),
  })
  .meta({ id: "ProblemFilter" });

export const problemListQuery = problemFilter.extend(page);

export const problemListResponse = z
  .object({
    problems: z.array(problemSchema),
    nextCursor: z.string().nullable(),
    /** Age of the oldest failure that is not counted yet, in milliseconds; it grows while no worker lives. */
    behindMs: z.number(),
    updatedAt: instant,
  })
  .meta({ id: "ProblemListResponse" });

export const problemAssignmentRequest = z
  .strictObject({
    /** Null: unassigned. With sign-in, a person who can sign in. */
    assignee: plainText.trim().min(1).max(MAX_ASSIGNEE).nullable(),
    reason: reason.optional(),
    revision,
  })
  .meta({ id: "ProblemAssignmentRequest" });

export const problemNoteRequest = z.strictObject({ text: reason }).meta({ id: "ProblemNoteRequest" });

/** Permanent without `forMs` and `failures`; with both, until the first of them. */
export const problemMuteRequest = z
  .strictObject({
    forMs: z.int().min(60_000).max(31_622_400_000).optional(),
    /** Until this many more failures are counted. */
    failures: z.int().min(1).max(1_000_000_000).optional(),
    reason,
    revision,
  })
  .meta({ id: "ProblemMuteRequest" });

export const problemResolutionRequest = z
  .strictObject({
    /** The version of the code that fixes it: failures of older ones do not reopen it. */
    version: z.int().min(1).max(2_147_483_647).optional(),
    reason,
    revision,
  })
  .meta({ id: "ProblemResolutionRequest" });

export const problemReopeningRequest = z.strictObject({ reason, revision }).meta({ id: "ProblemReopeningRequest" });

/** Begins or ends the caller's watch: there is nothing to choose. */
export const problemWatchRequest = z.strictObject({}).meta({ id: "ProblemWatchRequest" });

/** `entry`: the latest entry of the history that the caller was shown. */
export const problemSeenRequest = z
  .strictObject({ entry: z.string().regex(/^\d{1,18}$/) })
  .meta({ id: "ProblemSeenRequest" });

export const problemProbeRequest = z
  .strictObject({
    /** The affected run to rerun first, as of the candidate that was read; left out: one is chosen. */
    runId: givenId.optional(),
    /** Reruns at most. Default: 8. */
    tries: z.int().min(1).max(MOST_TRIES).optional(),
    reason,
    revision,
  })
  .meta({ id: "ProblemProbeRequest" });

export const problemProbeStopRequest = z.strictObject({ reason, revision }).meta({ id: "ProblemProbeStopRequest" });

export type Problem = z.infer<typeof problemSchema>;
export type ProblemDetail = z.infer<typeof problemDetailSchema>;
export type ProblemSeries = z.infer<typeof series>;
export type ProblemFilter = z.infer<typeof problemFilter>;
export type ProblemListResponse = z.infer<typeof problemListResponse>;
export type ProblemAssignmentRequest = z.infer<typeof problemAssignmentRequest>;
export type ProblemNoteRequest = z.infer<typeof problemNoteRequest>;
export type ProblemMuteRequest = z.infer<typeof problemMuteRequest>;
export type ProblemResolutionRequest = z.infer<typeof problemResolutionRequest>;
export type ProblemReopeningRequest = z.infer<typeof problemReopeningRequest>;
export type Probe = z.infer<typeof probeSchema>;
export type ProbeCandidate = z.infer<typeof probeCandidateSchema>;
export type ProblemTried = z.infer<typeof problemTriedSchema>;
