import type { CompensationMode, CompensationStatus } from "../compensations/compensation";
import type { Effect, StepKind, StepStatus } from "../steps/step";
import { hasEnded, type RunStatus } from "./run";

/** What a person may do to a run. The server enforces these rules, the button explains with them. */
export const OPERATOR_ACTS = [
  "rerun",
  "pause",
  "resume",
  "wake",
  "cancel",
  "compensate",
  "settle",
  "mark_compensated",
  "assign",
  "answer",
  "send_event",
  "move",
  "start_again",
] as const;
export type OperatorAct = (typeof OPERATOR_ACTS)[number];

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
  compensationMode: CompensationMode;
  compensationStatus: CompensationStatus;
}

const open: Openness = { open: true };
const closed = (because: string): Openness => ({ open: false, because });

const IN_MOTION: Partial<Record<RunStatus, string>> = {
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

/** Run again from a step on, in the same run: earlier steps keep their results. */
export function mayRerun(
  run: RunFacts,
  fromStep?: string,
  scope: "after" | "branch" = "after",
  freshKeys = false,
): Openness {
  if (scope === "branch" && fromStep === undefined)
    return closed("Choose the step whose branch is to run again. Without one, only the failed steps do.");
  const moving = IN_MOTION[run.status];
  if (moving) return closed(moving);
  if (run.status === "compensating") return closed("The run is being compensated. What was undone cannot be built on.");
  if (run.status === "compensated") return closed("The run was compensated. Start a new run instead.");
  const unknown = run.steps.filter((step) => step.status === "unknown");
  if (!unknown.every(isRepeatable))
    return closed("A step has an unknown outcome. Settle it first: rerunning blindly could do it twice.");
  if (unknown.length > 0 && freshKeys)
    return closed(
      "A step has an unknown outcome, and with a fresh key it could happen twice. Rerun with the same keys, or settle it first.",
    );
  if (run.steps.some((step) => undone(step)))
    return closed("A step of this run was undone already. Start a new run instead.");
  if (fromStep !== undefined)
    return run.steps.some((step) => step.name === fromStep)
      ? open
      : closed("The run has no step of this name to rerun from.");
  if (run.status === "completed") return closed("The run completed: no step failed. Choose the step to rerun from.");
  if (run.status === "waiting" && unknown.length === 0)
    return closed("No step failed; the run goes on by itself. Choose the step to rerun from.");
  return open;
}

const undone = (step: StepFacts) => step.compensationStatus === "completed" || step.compensationStatus === "running";

/** End the run without finishing its work. A running body gets its signal aborted and its outcome is still recorded. */
export function mayCancel(run: Pick<RunFacts, "status" | "cancelRequested">): Openness {
  if (run.cancelRequested)
    return closed("Cancelling was asked for already; the worker is letting the step in flight finish.");
  switch (run.status) {
    case "pending":
    case "running":
    case "waiting":
    case "paused":
      return open;
    case "compensating":
      return closed("The run is being compensated: cancelling now would leave its effects half undone.");
    default:
      return closed(`The run has ended (${run.status}).`);
  }
}

/** Hold the run: a running body finishes and is recorded, nothing after it begins, and no timer of it fires. */
export function mayPause(run: RunFacts): Openness {
  if (run.cancelRequested) return closed("The run is being cancelled.");
  switch (run.status) {
    case "pending":
    case "waiting":
      return open;
    case "running":
      return run.pauseRequested
        ? closed("Pausing was asked for already; the worker is letting the step in flight finish.")
        : open;
    case "paused":
      return closed("The run is paused already.");
    case "compensating":
      return closed("The run is being compensated: pausing now would leave its effects half undone.");
    default:
      return closed(`The run has ended (${run.status}).`);
  }
}

/** Let a paused run go on, or withdraw a pause request. */
export function mayResume(run: RunFacts): Openness {
  return run.pauseRequested ? open : closed("The run is not paused.");
}

/** End a wait for a timer now: a sleep, a retry delay, or a delayed start. */
export function mayWake(run: RunFacts, stepName?: string): Openness {
  if (stepName === undefined && run.startsLater) return open;
  if (run.status === "running")
    return closed("A worker has the run in hand, and its timers with it. They can be ended when it has come to rest.");
  if (run.status === "paused") return closed("The run is paused: its timers do not fire. Resume it first.");
  if (run.status !== "waiting") return closed("The run does not wait for a timer.");
  const timed = run.steps.filter(waitsForTimer);
  if (stepName === undefined) return timed.length > 0 ? open : closed("The run does not wait for a timer.");
  return timed.some(({ name }) => name === stepName) ? open : closed("This step does not wait for a timer.");
}

/** Other waits end by external events, and cannot be ended early. */
export const waitsForTimer = ({ status, kind }: StepFacts) =>
  status === "waiting" && (kind === "sleep" || kind === "step" || kind === "transaction");

/** Compensate the run's effects, in reverse order of completion. */
export function mayCompensate(run: RunFacts): Openness {
  const moving = IN_MOTION[run.status];
  if (moving) return closed(moving);
  if (run.status === "compensated") return closed("Every compensation of this run has its outcome already.");
  if (run.status === "compensating") {
    return run.steps.some((step) => step.compensationStatus === "failed")
      ? open
      : closed("The compensations are under way.");
  }
  if (run.steps.some((step) => step.status === "unknown"))
    return closed(
      "A step has an unknown outcome. Settle it first: nobody can say yet whether there is something to undo.",
    );
  if (run.status === "waiting") return closed("The run is still going on. Cancel it first.");
  return run.steps.some(owesUndo) ? open : closed("No completed step of this run declares a compensation.");
}

/** A completed step whose declared compensation has no outcome yet. */
export function owesUndo(step: StepFacts): boolean {
  return (
    step.status === "completed" &&
    step.compensationMode !== "none" &&
    step.compensationStatus !== "completed" &&
    step.compensationStatus !== "waived"
  );
}

export const RESOLUTIONS = ["happened", "did_not_happen", "ask", "skip"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** Resolve a step of unknown outcome; or skip a failed one. */
export function maySettle(run: RunFacts, stepName: string, outcome: Resolution): Openness {
  const step = run.steps.find((candidate) => candidate.name === stepName);
  if (!step) return closed("The run has no step of this name.");
  if (run.status === "compensating" || run.status === "compensated")
    return closed("The run is being or was compensated: its steps are settled.");
  if (outcome === "ask" && !step.canAsk)
    return closed("This step's code cannot ask the receiver. Look there yourself, with the idempotency key.");
  if (outcome === "ask" && run.status === "paused")
    return closed("The run is paused, so its code asks nobody. Resume it first, or look at the receiver yourself.");
  if (outcome === "ask" && run.status !== "waiting")
    return closed(
      "The run has ended, so its code asks nobody any more. Look at the receiver yourself, with the idempotency key.",
    );
  if (step.status === "unknown") {
    return run.status === "waiting" || run.status === "paused" || hasEnded(run.status)
      ? open
      : closed("The run is being worked on. Wait until it stops for you.");
  }
  const failedForGood = step.status === "failed" && run.status === "failed";
  if (failedForGood && (outcome === "skip" || outcome === "happened")) return open;
  if (step.status === "failed") return closed("The step failed and said so: rerun it, skip it, or supply its output.");
  return closed(`The step's outcome is known (${step.status}).`);
}

/** Record that a person compensated a step manually, or that no compensation is due. */
export function mayMarkCompensated(run: RunFacts, stepName: string): Openness {
  const step = run.steps.find((candidate) => candidate.name === stepName);
  if (!step) return closed("The run has no step of this name.");
  if (run.status !== "compensating")
    return closed(
      run.status === "compensated"
        ? "Every compensation of this run has its outcome already."
        : "The run does not owe compensations. Run its compensations first.",
    );
  switch (step.compensationStatus) {
    case "owed":
    case "failed":
      return open;
    case "running":
      return closed("The worker is running this compensation now. Wait for its outcome.");
    case "none":
      return closed("This step owes no compensation.");
    default:
      return closed(`This compensation has its outcome already (${step.compensationStatus}).`);
  }
}

/** Take an open compensation, release it, or assign it to another person. Optional: it shows who works on it. */
export function mayAssign(run: RunFacts, stepName: string): Openness {
  const step = run.steps.find((candidate) => candidate.name === stepName);
  if (!step) return closed("The run has no step of this name.");
  switch (step.compensationStatus) {
    case "owed":
    case "running":
    case "failed":
      return open;
    case "none":
      return closed("This step owes no compensation.");
    default:
      return closed(`This compensation has its outcome already (${step.compensationStatus}).`);
  }
}

/** Answer the run's question. The first answer counts. */
export function mayAnswer(run: RunFacts, stepName: string): Openness {
  const step = run.steps.find((candidate) => candidate.name === stepName);
  if (step?.kind !== "approval") return closed("The run has no question of this name.");
  if (step.status !== "waiting") return closed("The question was answered already, or its time was up.");
  return listens(run) ? open : closed(`The run has ended (${run.status}): nobody asks any more.`);
}

/** Send an event to the run, for a step that waits for it now or later. */
export function maySendEvent(run: RunFacts): Openness {
  if (listens(run)) return open;
  return closed(`The run takes no events any more: it is ${run.status}.`);
}

/** Let a run that has not ended go on with another version of its code. */
export function mayMove(run: RunFacts): Openness {
  if (run.cancelRequested) return closed("The run is being cancelled.");
  switch (run.status) {
    case "pending":
    case "waiting":
    case "paused":
      return open;
    case "running":
      return closed("The run is being worked on. Pause it first: it can be moved when it has come to rest.");
    case "compensating":
      return closed("The run is being compensated: its undos stand in the code that did the work.");
    default:
      return closed(`The run has ended (${run.status}). Rerun it with another version, or start a new run.`);
  }
}

/** Start a new run of the workflow, with the same input or an edited one. This run does not change. */
export function mayStartAgain(run: RunFacts): Openness {
  if (!hasEnded(run.status)) return closed("The run has not ended. Cancel it first: both would do the same work.");
  if (run.steps.some((step) => step.status === "unknown"))
    return closed("A step has an unknown outcome. Settle it first: nobody can say yet what a new run would do twice.");
  return open;
}

const listens = ({ status }: RunFacts) =>
  status === "pending" || status === "running" || status === "waiting" || status === "paused";

const asking = (run: RunFacts) => run.steps.find(({ kind, status }) => kind === "approval" && status === "waiting");

/** The recommended next action, or null. */
export function primaryAct(run: RunFacts): OperatorAct | null {
  if (run.status === "failed" && mayRerun(run).open) return "rerun";
  if (run.steps.some((step) => step.status === "unknown") && run.status !== "running") return "settle";
  if (run.status === "compensating")
    return run.steps.some(
      (step) =>
        step.compensationStatus === "failed" ||
        (step.compensationStatus === "owed" && step.compensationMode === "manual"),
    )
      ? "mark_compensated"
      : null;
  if (run.status === "paused") return "resume";
  if (asking(run) && listens(run)) return "answer";
  return null;
}

/** Every action with its openness, for the page and for programs. */
export function actStates(run: RunFacts): { act: OperatorAct; open: boolean; because: string | null }[] {
  const unknown =
    run.steps.find((step) => step.status === "unknown") ?? run.steps.find((step) => step.status === "failed");
  const owed = run.steps.find((step) => step.compensationStatus === "failed" || step.compensationStatus === "owed");
  const question = asking(run);
  const states: Record<OperatorAct, Openness> = {
    rerun: mayRerun(run),
    pause: mayPause(run),
    resume: mayResume(run),
    wake: mayWake(run),
    cancel: mayCancel(run),
    compensate: mayCompensate(run),
    settle: unknown ? maySettle(run, unknown.name, "happened") : closed("No step of this run has an unknown outcome."),
    mark_compensated: owed ? mayMarkCompensated(run, owed.name) : closed("This run owes no compensation."),
    assign: owed ? mayAssign(run, owed.name) : closed("This run owes no compensation."),
    answer: question ? mayAnswer(run, question.name) : closed("This run asks nothing."),
    send_event: maySendEvent(run),
    move: mayMove(run),
    start_again: mayStartAgain(run),
  };
  return OPERATOR_ACTS.map((act) => {
    const state = states[act];
    return { act, open: state.open, because: state.open ? null : state.because };
  });
}
