import type { Headers } from "../../engine/runs/headers";
import type { LogLevel, LogSource, Progress } from "../../engine/runs/log";
import type { Attention, WaitKind } from "../../engine/runs/run";
import type { AttemptStatus, Effect, StepKind, StepStatus } from "../../engine/steps/step";
import type { TraceText } from "../../engine/traces/trace-context";

/** One record of a claim: kept whole, or not at all. */
export interface ClaimRecord {
  runId: string;
  epoch: number;
  step?: StepRecord;
  attempt?: AttemptRecord;
  run?: RunChange;
  /** With `run`: of the span of the claim that ends; absent while tracing is off. */
  trace?: TraceText;
  /** A run that the step starts; kept together with its step, or not at all. */
  child?: ChildRecord;
  /** Lines logged since the last record, in order. */
  logs?: readonly LogRecord[];
  progress?: Progress;
}

export interface ChildRecord {
  id: string;
  workflow: string;
  version: number;
  input: string;
  tags: Record<string, string>;
  runTitle: string | null;
  priority: number;
  queueKey: string | null;
  /** The step of the parent, and the generation of its key: unique per child. */
  step: string;
  keyGeneration: number;
  /** A page of `ctx.mapSteps`: the name of the map. */
  pageOf?: string;
  /** A cancel of the parent also cancels it. */
  endsWithParent: boolean;
  /** The parent waits for its end. */
  tellsParent: boolean;
  /** Absent or null: none. */
  headers?: Headers | null;
  /** Of the span that starts it. */
  trace?: TraceText | null;
}

export interface LogRecord {
  /** The same in every replay; a line with an existing key is not stored again. */
  key: string;
  during: LogSource;
  /** Null between steps. */
  step: string | null;
  attempt: number | null;
  message: string;
  /** JSON text. */
  data: string | null;
  level: LogLevel;
  /** The trace of the run; null while tracing is off. */
  traceId: string | null;
  ageMs: number;
}

export interface StepRecord {
  name: string;
  generation: number;
  kind: StepKind;
  effect: Effect;
  status: StepStatus;
  position: number;
  finishedPosition: number | null;
  attempt: number;
  failures: number;
  maxAttempts: number;
  keyGeneration: number;
  output: string | null;
  error: string | null;
  reference: string | null;
  canAsk: boolean;
  doubt: string | null;
  workerId: number | null;
  startedMsAgo: number;
  /** For `waiting`: a delay from the database's now, or an instant as the database writes it. */
  next: { inMs: number } | { at: string } | null;
  compensationMode: "automatic" | "manual" | null;
  instructions: string | null;
}

/** An attempt that did not end in the step's kept outcome. */
export interface AttemptRecord {
  step: string;
  generation: number;
  number: number;
  status: Extract<AttemptStatus, "failed" | "unknown" | "interrupted">;
  error: string | null;
  workerId: number | null;
  startedMsAgo: number;
}

/** The run's new state when its claim ends. */
export type RunChange =
  /** Needs attention only if a step has an unknown outcome, such as a race's loser; checked if it `mayBeInDoubt`. */
  | { to: "completed"; output: string; mayBeInDoubt?: boolean }
  /** Needs attention; the output is of a page whose items have ended. Also for a step with an unknown outcome, if there is one. */
  | { to: "failed"; error: string; failedStep: string | null; attention: Extract<Attention, "failed">; output?: string }
  /** Needs attention only if a step has an unknown outcome. The error says why, unless a person asked for it. */
  | { to: "cancelled"; error?: string }
  /** A run whose cancel was requested meanwhile ends: steps are cut off if one `mayBeInDoubt`. */
  | {
      to: "waiting";
      kind: WaitKind;
      step: string;
      dueAt: string | null;
      attention: Attention | null;
      mayBeInDoubt?: boolean;
    }
  | { to: "pending"; mayBeInDoubt?: boolean };
