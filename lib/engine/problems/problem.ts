import type { Openness } from "../runs/operator-acts";

/** What a problem's runs have come to: an end nobody wants, a step of which nobody knows what it did, or an undo that failed. */
export const PROBLEM_KINDS = ["failed", "outcome_unknown", "undo_failed"] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

export const PROBLEM_STATUSES = ["open", "muted", "resolved"] as const;
export type ProblemStatus = (typeof PROBLEM_STATUSES)[number];

/** What errors are called that are unlike each of those by which a workflow's problems are told. */
export const OTHERS = "Others";

/** After what it came back: somebody had called it resolved, or a run that was repaired of it fell ill of it again. */
export type CameBack = "resolved" | "rerun";

/** What stands in a problem's history: the acts of people, and what it did by itself. */
export const PROBLEM_EVENTS = ["note", "assign", "mute", "resolve", "reopen", "came_back", "mute_ended"] as const;
export type ProblemEvent = (typeof PROBLEM_EVENTS)[number];

export interface ProblemState {
  status: ProblemStatus;
  failures: number;
  /** Muted until so many failures are counted in all. */
  mutedToCount: number | null;
  resolvedAtMs: number | null;
  /** Failures of older versions do not open it again. */
  resolvedIn: number | null;
}

/** A run that fell ill of it. */
export interface CountedFailure {
  atMs: number;
  version: number;
  /** It was ill of it before, and was repaired. */
  again: boolean;
}

export interface Judgement {
  status: ProblemStatus;
  cameBack: CameBack | null;
  muteEnded: boolean;
}

/**
 * What becomes of a problem with these failures, which its count does not hold yet. One that is resolved stays so for what
 * failed before it was, and for versions older than the one that mends it.
 */
export function judgeFailures(state: ProblemState, failures: readonly CountedFailure[]): Judgement {
  const { status, resolvedAtMs, resolvedIn, mutedToCount } = state;
  if (status === "resolved") {
    const isReturn = ({ atMs, version }: CountedFailure) => atMs > (resolvedAtMs ?? 0) && version >= (resolvedIn ?? 0);
    const returned = failures.some(isReturn);
    return { status: returned ? "open" : "resolved", cameBack: returned ? "resolved" : null, muteEnded: false };
  }
  const muteEnded = status === "muted" && mutedToCount !== null && state.failures + failures.length >= mutedToCount;
  const cameBack = failures.some(({ again }) => again) ? "rerun" : null;
  return { status: muteEnded ? "open" : status, cameBack, muteEnded };
}

/** What a person may do to a problem. The server enforces with these rules, the button explains with them. */
export const PROBLEM_ACTS = ["assign", "note", "mute", "resolve", "reopen"] as const;
export type ProblemAct = (typeof PROBLEM_ACTS)[number];

const RULES: Record<ProblemAct, (status: ProblemStatus) => string | null> = {
  assign: () => null,
  note: () => null,
  mute: (status) => (status === "resolved" ? "The problem is resolved. Reopen it first." : null),
  resolve: (status) => (status === "resolved" ? "The problem is resolved already." : null),
  reopen: (status) => (status === "open" ? "The problem is open already." : null),
};

export function mayActOnProblem(act: ProblemAct, status: ProblemStatus): Openness {
  const because = RULES[act](status);
  return because === null ? { open: true } : { open: false, because };
}

/** Every act with its openness, for the page and for programs. */
export const problemActStates = (status: ProblemStatus) =>
  PROBLEM_ACTS.map((act) => ({ act, open: RULES[act](status) === null, because: RULES[act](status) }));
