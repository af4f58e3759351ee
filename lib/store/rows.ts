import type { Attention, RunStatus, WaitKind } from "../engine/runs/run";
import type { AttemptStatus, Effect, StepKind, StepStatus } from "../engine/steps/step";

/** An instant as received: a Date from a column, ISO 8601 text from a row that came as JSON. */
export type RowInstant = Date | string;

/** A column of JSON, parsed. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export interface RunRow {
  id: string;
  workflow: string;
  /** The version it began with. */
  version: number;
  chosen_version: number | null;
  code_version: number | null;
  status: RunStatus;
  epoch: number;
  worker_id: number | null;
  revision: number;
  generation: number;
  priority: number;
  due_at: RowInstant | null;
  cancel_requested_at: RowInstant | null;
  pause_requested_at: RowInstant | null;
  /** The run whose pause, with its children, holds this one; of that run, the run's own id. */
  pause_root: string | null;
  waiting_kind: WaitKind | null;
  waiting_step: string | null;
  waiting_since: RowInstant | null;
  attention: Attention | null;
  failed_step: string | null;
  /** JSON text, as `output` and `error` are. */
  input: string;
  output: string | null;
  error: string | null;
  tags: Record<string, string> | null;
  run_title: string | null;
  headers: Record<string, string> | null;
  idempotency_key: string | null;
  parent_run_id: string | null;
  queue_key: string | null;
  parent_step: string | null;
  created_at: RowInstant;
  started_at: RowInstant | null;
  finished_at: RowInstant | null;
  /** When an operator erased its data. */
  erased_at: RowInstant | null;
  page_of: string | null;
}

export interface ProgressRow {
  done: number;
  total: number;
  note: string | null;
  at: RowInstant;
}

export interface StepRow {
  name: string;
  generation: number;
  kind: StepKind;
  effect: Effect;
  status: StepStatus;
  position: number;
  finished_position: number | null;
  attempt: number;
  failures: number;
  max_attempts: number;
  key_generation: number;
  output: string | null;
  error: string | null;
  reference: string | null;
  can_ask: boolean;
  /** The error of an attempt that may have had its effect without leaving an outcome. */
  doubt: string | null;
  worker_id: number | null;
  started_at: RowInstant;
  finished_at: RowInstant | null;
  next_attempt_at: RowInstant | null;
  compensation_mode: "automatic" | "manual" | null;
  instructions: string | null;
  superseded_by: number | null;
}

export interface AttemptRow {
  step: string;
  generation: number;
  number: number;
  status: AttemptStatus;
  error: string | null;
  worker_id: number | null;
  started_at: RowInstant;
  finished_at: RowInstant | null;
}

export interface CompensationRow {
  step: string;
  generation: number;
  mode: "automatic" | "manual";
  status: "owed" | "running" | "completed" | "failed" | "waived";
  position: number;
  attempt: number;
  next_attempt_at: RowInstant | null;
  error: string | null;
  by: string | null;
  note: string | null;
  reference: string | null;
  instructions: string | null;
  owed_at: RowInstant;
  finished_at: RowInstant | null;
  /** The assignee; of a person with a sign-in, with their id. */
  assignee: string | null;
  assignee_id: string | null;
  assigned_by: string | null;
  assigned_at: RowInstant | null;
  /** An http(s) address with evidence of what a person did. */
  evidence: string | null;
}

export interface EventRow {
  seq: number;
  name: string;
  id: string;
  run_id: string | null;
  key: string | null;
  /** JSON text. */
  payload: string;
  sent_by: string | null;
  sent_at: RowInstant;
  taken_by: string | null;
  taken_step: string | null;
  taken_generation: number | null;
  taken_at: RowInstant | null;
  /** How often it was sent again with its id, and when last. */
  repeats: number;
  repeated_at: RowInstant | null;
}

/** What a step waits for, or waited for. */
export interface EventWaitRow {
  step: string;
  generation: number;
  event: string;
  key: string | null;
  question: string | null;
  choices: string[] | null;
  /** JSON text. */
  data: string | null;
  opened_at: RowInstant;
  closed_at: RowInstant | null;
}

/** A descendant that was changed with a run above it. */
export interface ChangedChild {
  id: string;
  workflow: string;
  before: { status: RunStatus; revision: number };
  after: { status: RunStatus; revision: number };
}
