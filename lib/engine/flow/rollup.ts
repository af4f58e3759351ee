import { addToBucket } from "./histogram";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Widths of the stored periods in minutes, and how long each is kept. Days and hours begin in UTC. */
export const ROLLUP_LEVELS = [
  { minutes: 1, keptMs: 25 * HOUR_MS },
  { minutes: 15, keptMs: 5 * DAY_MS },
  { minutes: 60, keptMs: 35 * DAY_MS },
  { minutes: 360, keptMs: 400 * DAY_MS },
] as const;
export type RollupMinutes = (typeof ROLLUP_LEVELS)[number]["minutes"];

/** The selectable windows: length, the level they are read from, and the width of one point of a chart. */
export const FLOW_WINDOWS = {
  "15m": { ms: HOUR_MS / 4, minutes: 1, pointMinutes: 1, words: "15 minutes" },
  "1h": { ms: HOUR_MS, minutes: 1, pointMinutes: 1, words: "hour" },
  "6h": { ms: 6 * HOUR_MS, minutes: 1, pointMinutes: 5, words: "6 hours" },
  "24h": { ms: DAY_MS, minutes: 15, pointMinutes: 15, words: "24 hours" },
  "7d": { ms: 7 * DAY_MS, minutes: 60, pointMinutes: 60, words: "7 days" },
  "30d": { ms: 30 * DAY_MS, minutes: 360, pointMinutes: 360, words: "30 days" },
} as const satisfies Record<string, { ms: number; minutes: RollupMinutes; pointMinutes: number; words: string }>;
export type FlowWindow = keyof typeof FLOW_WINDOWS;
export const FLOW_WINDOW_NAMES = Object.keys(FLOW_WINDOWS) as [FlowWindow, ...FlowWindow[]];

/** Ends of runs with the same attributes, counted. */
export interface CountedEnds {
  workflow: string;
  version: number;
  /** The beginning of a minute. */
  atMs: number;
  status: "completed" | "failed" | "cancelled" | "compensated";
  runs: number;
  /** Duration from first claim to this end; null for a repeated end, whose duration includes idle time. */
  tookBucket: number | null;
  /** Time until the first claim; null for a repeated end, and for runs that were never claimed. */
  queuedBucket: number | null;
}

export interface CountedStarts {
  workflow: string;
  version: number;
  atMs: number;
  runs: number;
}

export interface CountedSteps {
  workflow: string;
  version: number;
  atMs: number;
  step: string;
  executions: number;
  failures: number;
  retries: number;
  tookBucket: number;
}

interface RollupKey {
  minutes: RollupMinutes;
  atMs: number;
  workflow: string;
  version: number;
}

const RUN_COUNTS = ["started", "completed", "failed", "cancelled", "compensated", "retries"] as const;
const STEP_COUNTS = ["executions", "failures", "retries"] as const;

export type RunRollup = RollupKey & Record<(typeof RUN_COUNTS)[number], number> & { took: Spread; queued: Spread };
export type StepRollup = RollupKey & { step: string } & Record<(typeof STEP_COUNTS)[number], number> & { took: Spread };
type Spread = Map<number, number>;

/** What a fold adds to the rows of every level within its retention. */
export class RollupTally {
  private readonly runRows = new Map<string, RunRollup>();
  private readonly stepRows = new Map<string, StepRollup>();

  constructor(private readonly nowMs: number) {}

  get runs(): RunRollup[] {
    return [...this.runRows.values()];
  }

  get steps(): StepRollup[] {
    return [...this.stepRows.values()];
  }

  addStarts({ runs, ...where }: CountedStarts): void {
    for (const row of this.runsAt(where)) row.started += runs;
  }

  addEnds({ status, runs, tookBucket, queuedBucket, ...where }: CountedEnds): void {
    for (const row of this.runsAt(where)) {
      row[status] += runs;
      if (tookBucket !== null) addToBucket(row.took, tookBucket, runs);
      if (queuedBucket !== null) addToBucket(row.queued, queuedBucket, runs);
    }
  }

  addSteps({ step, executions, failures, retries, tookBucket, ...where }: CountedSteps): void {
    for (const row of this.runsAt(where)) row.retries += retries;
    for (const key of this.keysOf(where)) {
      const row = rowOf(this.stepRows, JSON.stringify([key, step]), () => newStepRow(key, step));
      row.executions += executions;
      row.failures += failures;
      row.retries += retries;
      addToBucket(row.took, tookBucket, executions);
    }
  }

  private runsAt(where: Omit<RollupKey, "minutes">): RunRollup[] {
    return this.keysOf(where).map((key) => rowOf(this.runRows, JSON.stringify(key), () => newRunRow(key)));
  }

  private keysOf({ atMs, workflow, version }: Omit<RollupKey, "minutes">): RollupKey[] {
    return ROLLUP_LEVELS.filter(({ keptMs }) => atMs > this.nowMs - keptMs).map(({ minutes }) => {
      const widthMs = minutes * 60_000;
      return { minutes, atMs: Math.floor(atMs / widthMs) * widthMs, workflow, version };
    });
  }
}

function rowOf<Row>(rows: Map<string, Row>, key: string, make: () => Row): Row {
  const row = rows.get(key) ?? make();
  rows.set(key, row);
  return row;
}

const newRunRow = (key: RollupKey): RunRollup => ({
  ...key,
  ...{ started: 0, completed: 0, failed: 0, cancelled: 0, compensated: 0, retries: 0 },
  ...{ took: new Map(), queued: new Map() },
});

const newStepRow = (key: RollupKey, step: string): StepRollup => ({
  ...key,
  ...{ step, executions: 0, failures: 0, retries: 0, took: new Map() },
});
