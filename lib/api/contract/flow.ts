import { z } from "zod";
import { HEALTH_LEVELS } from "../../engine/flow/database-health";
import { FLOW_WINDOW_NAMES } from "../../engine/flow/rollup";
import { list, plainText } from "./requests";
import { instant } from "./values";

const windowName = z.enum(FLOW_WINDOW_NAMES);
const window = windowName.default("1h");

export const flowQuery = z.strictObject({ window, workflow: list(plainText.min(1).max(200)).optional() });
export const workflowFlowQuery = z.strictObject({ window });

/** In milliseconds, off by 9.1 % at the most; null where nothing tells. */
const ms = z.number().nullable();
const percentiles = { p50Ms: ms, p95Ms: ms, p99Ms: ms };

const totals = {
  /** Runs that were started: asked for, whether they have begun or not. */
  started: z.int(),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  compensated: z.int(),
  /** Attempts of steps beyond their first, of runs that ended. */
  retries: z.int(),
  /** From the first claim of a run to its first end, completed or failed. */
  ...percentiles,
  /** From its start to its first claim; a delayed start's delay is in it. */
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
  /** Since when runs are counted as finely as here; null: nothing is counted yet. */
  countedSince: instant.nullable(),
  /** Whatever ended before is counted; null before the first count. */
  countedUntil: instant.nullable(),
  /** True: somebody has written a run in a transaction that has not ended, and the count waits for it. */
  heldBack: z.boolean(),
  /** Oldest first; the last is still filling. */
  points: z.array(z.object({ at: instant, ...totals })),
  totals: totalsSchema,
  /** Of the window of the same length before it. */
  before: totalsSchema,
  /** False: not all of that window was counted. */
  beforeIsWhole: z.boolean(),
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
    /** Newest first: of the code that had the runs last. */
    versions: z.array(z.object({ version: z.int(), totals: totalsSchema })),
    /** The version with which it began to fail; null: its newest does not, or it always has. */
    failingSince: z.int().nullable(),
    /** Slowest first, of runs that ended; names without what a loop makes of them. */
    steps: z.array(
      z.object({
        /** Null: those of all names beyond the first 200. */
        step: z.string().nullable(),
        ...stepTotals,
        versions: z.array(z.object({ version: z.int(), ...stepTotals })),
      }),
    ),
  })
  .meta({ id: "WorkflowFlow" });

export const databaseHealthResponse = z
  .object({
    /** One each, also of what is good. */
    findings: z.array(
      z.object({
        what: z.enum(["transaction", "vacuum", "connections", "leases", "wraparound"]),
        level: z.enum(HEALTH_LEVELS),
        /** What to do; null while it is good. */
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
        /** It holds the charts back. */
        hasWrittenRuns: z.boolean(),
      })
      .nullable(),
    connections: z.int(),
    maxConnections: z.int(),
    /** The longest silence of a worker whose lease holds; null without one. */
    heartbeatLagMs: z.number().nullable(),
    /** For how long the lease of the longest silent worker has been over; null: of none. */
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
    /** Written to the log since the cluster began: the difference of two answers is its rate. Null on a standby. */
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
