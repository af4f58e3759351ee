import type { CompensationMode, CompensationStatus } from "../compensations/compensation";
import type { Effect, StepKind, StepStatus } from "../steps/step";
import { hasEnded, type RunStatus } from "./run";

/**
 * The actions of operators on runs, and what the permission of each allows: it completes "You may not …". Everything
 * else about an action is in lib/actions; these words are part of every page's first load, and authors write the names.
 */
export const ACT_PERMISSIONS = {
  rerun: "rerun runs",
  pause: "pause runs",
  resume: "resume runs",
  wake: "end the waits of runs",
  cancel: "cancel runs",
  compensate: "compensate runs",
  settle: "resolve steps",
  mark_compensated: "record compensations",
  assign: "assign compensations",
  answer: "answer what runs ask",
  send_event: "send events to runs",
  move: "move runs to other versions",
  start_again: "start runs again",
  snooze: "snooze runs and compensations",
  delete: "delete runs",
  erase: "erase the data of runs",
};

export type OperatorAct = keyof typeof ACT_PERMISSIONS;
export const OPERATOR_ACTS = Object.keys(ACT_PERMISSIONS) as OperatorAct[];

/** Actions that can be planned for many runs at once. */
export type PlannedActName = Exclude<OperatorAct, "assign" | "answer">;
export const PLANNED_ACTS = OPERATOR_ACTS.filter((act): act is PlannedActName => act !== "assign" && act !== "answer");

export type Openness = { open: true } | { open: false; because: string };

/** Input of the rules: a run's row and its steps. */
export interface RunFacts {
  status: RunStatus;
  cancelRequested: boolean;
  /** A pause is requested; also true while the run is paused. */
  pauseRequested: boolean;
  /** Its start is delayed. */
  startsLater: boolean;
  failedStep: string | null;
  /** Another live run with its singleton key: this run has ended, and cannot be reopened beside that one. */
  keyHeldBy: string | null;
  /** The run that started it as its child. */
  parentRunId: string | null;
  /** Of a page of `ctx.mapSteps`: the name of the map in its parent's code. */
  pageOf: string | null;
  /** Its data was erased: no code can continue with it. */
  erased: boolean;
  /** Steps that are not superseded. */
  steps: StepFacts[];
}

export interface StepFacts {
  name: string;
  kind: StepKind;
  effect: Effect;
  status: StepStatus;
  position: number;
  canAsk: boolean;
  /** It waits for its retry, and an attempt before may have had its effect. */
  inDoubt: boolean;
  compensationMode: CompensationMode;
  compensationStatus: CompensationStatus;
}

export const open: Openness = { open: true };
export const closed = (because: string): Openness => ({ open: false, because });
export const unless = (because: string | null): Openness => (because === null ? open : closed(because));

/** Why the statuses of a run that moves on by itself close an action that repairs. */
export const IN_MOTION: Partial<Record<RunStatus, string>> = {
  pending: "The run is waiting for a worker to take it up; there is nothing to repair yet.",
  running: "The run is being worked on. Wait for it to end, or cancel it first.",
  paused: "The run is paused. Resume it first.",
};

/**
 * Its outcome is unknown, but repeating is safe: the provider recognizes a call with the same key. Every rerun runs
 * such steps again, with their existing keys.
 */
export const isRepeatable = ({ status, kind, effect }: Pick<StepFacts, "status" | "kind" | "effect">) =>
  status === "unknown" && kind === "step" && effect === "idempotent";

/** A completed step whose declared compensation has no outcome yet. */
export function owesCompensation(step: StepFacts): boolean {
  return (
    step.status === "completed" &&
    step.compensationMode !== "none" &&
    step.compensationStatus !== "completed" &&
    step.compensationStatus !== "waived"
  );
}

/** The run still takes events and answers. */
export const listens = ({ status }: RunFacts) => !hasEnded(status) && status !== "compensating";

export const stepNamed = (run: RunFacts, name: string) => run.steps.find((step) => step.name === name);
