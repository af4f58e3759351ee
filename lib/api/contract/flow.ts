import { z } from "zod";
import { HEALTH_LEVELS } from "../../engine/flow/database-health";
import { FLOW_WINDOW_NAMES } from "../../engine/flow/rollup";
import { deploySchema } from "./deploys";
import { list, plainText } from "./requests";
import { instant } from "./values";

const windowName = z.enum(FLOW_WINDOW_NAMES);
const window = windowName.default("1h");

export const flowQuery = z.strictObject({ window, workflow: list(plainText.min(1).max(200)).optional() });
export const workflowFlowQuery = z.strictObject({ window });

/** In milliseconds, with an error of at most 9.1 %; null without data. */
const ms = z.number().nullable();
const percentiles = { p50Ms: ms, p95Ms: ms, p99Ms: ms };

const totals = {
  /** Runs that were started, whether they have begun or not. */
  started: z.int(),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  compensated: z.int(),
  /** Attempts of steps beyond their first, of runs that ended. */
  retries: z.int(),
  /** From the first claim of a run to its first end, completed or failed. */
  ...percentiles,
  /** From its start to its first claim, including the delay of a delayed start. */
  queuedP50Ms: ms,
  queuedP95Ms: ms,
};
export const totalsSchema = z.object(totals).meta({ id: "FlowTotals" });

const flowWindow = {
  window: windowName,
  from: instant,
  until: instant,
  /** The width of a point, in milliseconds. */
  pointMs: z.int(),
  /** The time from which runs are counted at this resolution; null: nothing is counted yet. */
  countedSince: instant.nullable(),
  /** All runs that ended before it are counted; null before the first count. */
  countedUntil: instant.nullable(),
  /** True: a transaction that has written a run is still open, and the count waits for it. */
  heldBack: z.boolean(),
  /** Oldest first; the last is still filling. */
  points: z.array(z.object({ at: instant, ...totals })),
  totals: totalsSchema,
  /** Of the preceding window of the same length. */
  before: totalsSchema,
  /** False: not all of that window was counted. */
  beforeIsWhole: z.boolean(),
  /** Of this window, oldest first; the latest 50. */
  deploys: z.array(deploySchema),
  updatedAt: instant,
};

export const flowResponse = z
  .object({
    ...flowWindow,
    /** Of the window: most failures first, then most ends; 50 at most. */
    workflows: z.array(z.object({ workflow: z.string(), title: z.string(), totals: totalsSchema })),
  })
  .meta({ id: "Flow" });

const stepTotals = {
  executions: z.int(),
  failures: z.int(),
  retries: z.int(),
  /** Of the last attempt. */
  ...percentiles,
};

export const workflowFlowResponse = z
  .object({
    workflow: z.string(),
    ...flowWindow,
    /** Newest first, by the version that had the runs last. */
    versions: z.array(z.object({ version: z.int(), totals: totalsSchema })),
    /** The version that started the failures; null when its newest version does not fail, or all do. */
    failingSince: z.int().nullable(),
    /** Slowest first, of runs that ended; names without their loop suffixes. */
    steps: z.array(
      z.object({
        /** Null: steps of all names beyond the first 200. */
        step: z.string().nullable(),
        ...stepTotals,
        versions: z.array(z.object({ version: z.int(), ...stepTotals })),
      }),
    ),
  })
  .meta({ id: "WorkflowFlow" });

export const databaseHealthResponse = z
  .object({
    /** One each, also when healthy; of the standby where the console has one. */
    findings: z.array(
      z.object({
        what: z.enum(["transaction", "vacuum", "connections", "leases", "wraparound", "standby"]),
        level: z.enum(HEALTH_LEVELS),
        /** What to do; null when healthy. */
        advice: z.string().nullable(),
      }),
    ),
    /** Of the sessions whose age this login may see; ages are in milliseconds. */
    oldestTransaction: z
      .object({
        pid: z.int(),
        application: z.string(),
        state: z.string(),
        ageMs: z.number(),
        /** Delays the charts. */
        hasWrittenRuns: z.boolean(),
      })
      .nullable(),
    connections: z.int(),
    maxConnections: z.int(),
    /** The longest silence of a worker whose lease is valid; null without one. */
    heartbeatLagMs: z.number().nullable(),
    /** How long ago the lease of the longest silent worker expired; null without one. */
    leaseOverdueMs: z.number().nullable(),
    /** Of ours, the 6 with the most dead rows, as Postgres estimates them. */
    tables: z.array(
      z.object({
        table: z.string(),
        liveRows: z.number(),
        deadRows: z.number(),
        vacuumedAgoMs: z.number().nullable(),
        bytes: z.number(),
      }),
    ),
    bytes: z.number(),
    oldestXidAge: z.number(),
    /**
     * Bytes of WAL written since the cluster was initialized: the difference of two answers is its rate. Null on a
     * standby.
     */
    walBytes: z.number().nullable(),
    updatedAt: instant,
  })
  .meta({ id: "DatabaseHealth" });

export type DatabaseHealth = z.infer<typeof databaseHealthResponse>;
export type FlowQuery = Partial<z.output<typeof flowQuery>>;
export type Flow = z.infer<typeof flowResponse>;
export type FlowTotals = z.infer<typeof totalsSchema>;
export type FlowPoint = Flow["points"][number];
export type WorkflowFlow = z.infer<typeof workflowFlowResponse>;
