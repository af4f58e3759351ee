import {
  mayCancel,
  mayCompensate,
  mayMarkCompensated,
  mayMove,
  mayPause,
  mayRerun,
  mayResume,
  maySendEvent,
  maySettle,
  mayStartAgain,
  mayWake,
  type Openness,
  type Resolution,
  type RunFacts,
  type StepFacts,
  waitsForTimer,
} from "../runs/operator-acts";

/** Actions that can be planned for many runs at once. */
export const PLANNED_ACTS = [
  "rerun",
  "cancel",
  "pause",
  "resume",
  "wake",
  "settle",
  "compensate",
  "mark_compensated",
  "send_event",
  "move",
  "start_again",
] as const;
export type PlannedActName = (typeof PLANNED_ACTS)[number];

/**
 * What a rerun from a step supersedes: `after`, everything with a later position; `branch`, only what began after the
 * code received the step's first outcome, so that parallel branches stay.
 */
export const RERUN_SCOPES = ["after", "branch"] as const;
export type RerunScope = (typeof RERUN_SCOPES)[number];

/** An action and its options, the same for every run of the plan. */
export type PlannedAct =
  | {
      act: "rerun";
      params: {
        fromStep?: string | undefined;
        scope?: RerunScope | undefined;
        freshKeys?: boolean | undefined;
        version?: number | undefined;
      };
    }
  | { act: "cancel" | "resume" | "compensate"; params: Record<string, never> }
  | { act: "pause"; params: { children?: boolean | undefined } }
  | { act: "wake"; params: { step?: string | undefined } }
  | {
      act: "settle";
      params: {
        outcome: Resolution;
        step?: string | undefined;
        output?: unknown;
        reference?: string | undefined;
      };
    }
  | {
      act: "mark_compensated";
      params: {
        outcome: "compensated" | "waived";
        step?: string | undefined;
        reference?: string | undefined;
        evidence?: string | undefined;
      };
    }
  | { act: "send_event"; params: { name: string; payload: unknown } }
  | { act: "move"; params: { version: number } }
  | { act: "start_again"; params: { input?: unknown } };

/** A run as the rules of planned actions see it. */
export interface PlannedRunFacts extends RunFacts {
  workflow: string;
  generation: number;
  /** The version that an operator has chosen for it. */
  chosenVersion: number | null;
  /** Versions whose code does not fit the run's record, with the first of the steps that they lack. */
  unfit: readonly { version: number; gone: string }[];
}

/** The rule of an action, for plan and execution. `live`: the versions of the run's workflow that live workers have. */
export function mayActAsPlanned(planned: PlannedAct, run: PlannedRunFacts, live: readonly number[]): Openness {
  const { act, params } = planned;
  switch (act) {
    case "rerun": {
      const rerun = mayRerun(run, params.fromStep, params.scope, params.freshKeys);
      return rerun.open && params.version !== undefined ? mayGoOnWith(params.version, run.workflow, live) : rerun;
    }
    case "cancel":
      return mayCancel(run);
    case "pause":
      return mayPause(run);
    case "resume":
      return mayResume(run);
    case "wake":
      return mayWake(run, params.step);
    case "compensate":
      return mayCompensate(run);
    case "settle":
      return mayConcern(planned, run, (step) => maySettle(run, step, params.outcome));
    case "mark_compensated":
      return mayConcern(planned, run, (step) => mayMarkCompensated(run, step));
    case "send_event":
      return maySendEvent(run);
    case "move":
      return mayMoveTo(params.version, run, live);
    case "start_again":
      return mayStartAgain(run);
  }
}

/** A run can go on with a version of its workflow only if a live worker has it. */
export function mayGoOnWith(version: number, workflow: string, live: readonly number[]): Openness {
  if (live.includes(version)) return { open: true };
  const there = live.length === 0 ? "No live worker has this workflow" : `Live workers have ${listed(live)}`;
  return { open: false, because: `No live worker has that version of "${workflow}". ${there}.` };
}

const listed = (versions: readonly number[]) =>
  versions.length === 1 ? `version ${versions[0]}` : `versions ${versions.join(", ")}`;

function mayMoveTo(version: number, run: PlannedRunFacts, live: readonly number[]): Openness {
  const move = mayMove(run);
  if (!move.open) return move;
  if (run.chosenVersion === version) return { open: false, because: "The run goes on with that version already." };
  const unfit = run.unfit.find((found) => found.version === version);
  if (unfit)
    return {
      open: false,
      because: `That version does not fit what this run has done: it does not come to step "${unfit.gone}".`,
    };
  return mayGoOnWith(version, run.workflow, live);
}

/**
 * The steps that an action resolves, compensates or ends the wait of. Default: the only candidate; asking the provider
 * concerns every unknown step.
 */
export function concerned<Step extends StepFacts>(
  { act, params }: PlannedAct,
  run: { steps: readonly Step[]; failedStep: string | null },
): Step[] {
  const chosen = "step" in params ? params.step : undefined;
  if (act === "wake") return run.steps.filter((step) => waitsForTimer(step) && (chosen ?? step.name) === step.name);
  if (act !== "settle" && act !== "mark_compensated") return [];
  if (chosen !== undefined) return run.steps.filter(({ name }) => name === chosen);
  if (act === "mark_compensated")
    return run.steps.filter(
      ({ compensationStatus }) => compensationStatus === "owed" || compensationStatus === "failed",
    );
  const unknown = run.steps.filter(({ status }) => status === "unknown");
  const supplies = params.outcome === "skip" || params.outcome === "happened";
  return unknown.length === 0 && supplies ? run.steps.filter(({ name }) => name === run.failedStep) : unknown;
}

/** An action on one step: the chosen one, or the only candidate. */
function mayConcern(planned: PlannedAct, run: RunFacts, rule: (step: string) => Openness): Openness {
  const { act, params } = planned;
  if ("step" in params && params.step !== undefined) return rule(params.step);
  const steps = concerned(planned, run);
  const asking = act === "settle" && params.outcome === "ask";
  const [first] = asking ? [...steps].sort((a, b) => Number(b.canAsk) - Number(a.canAsk)) : steps;
  if (!first)
    return {
      open: false,
      because: act === "settle" ? "No step of this run has an unknown outcome." : "This run owes no compensation.",
    };
  if (steps.length > 1 && !asking)
    return { open: false, because: `There are ${steps.length} steps that this may be about. Choose one of them.` };
  return rule(first.name);
}

/** From the item in the plan. */
interface Seen {
  generation: number;
  about: { first: readonly { step: string }[] };
}

const hasFailedUndo = ({ compensationStatus }: StepFacts) => compensationStatus === "failed";

/** True if the run is already in the action's target state. */
export function isDoneAlready({ act, params }: PlannedAct, run: PlannedRunFacts, seen: Seen): boolean {
  const about = seen.about.first.map(({ step }) => run.steps.find(({ name }) => name === step));
  switch (act) {
    case "rerun":
      return run.generation > seen.generation;
    case "cancel":
      return run.cancelRequested || run.status === "cancelled";
    case "pause":
      return run.pauseRequested || run.status === "paused";
    case "resume":
      return !run.pauseRequested && run.status !== "paused";
    case "compensate":
      return run.status === "compensated" || (run.status === "compensating" && !run.steps.some(hasFailedUndo));
    case "settle":
      return about.every((step) => step?.status === "completed" || step?.status === "skipped");
    case "mark_compensated":
      return about.every((step) => step?.compensationStatus === "completed" || step?.compensationStatus === "waived");
    case "move":
      return run.chosenVersion === params.version;
    // These actions are not idempotent.
    case "wake":
    case "send_event":
    case "start_again":
      return false;
  }
}
