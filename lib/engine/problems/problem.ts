import type { Openness } from "../runs/operator-acts";

/** Kinds of trouble of a run: it failed, a step has an unknown outcome, or a compensation failed. */
export const PROBLEM_KINDS = ["failed", "outcome_unknown", "undo_failed"] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

export const PROBLEM_STATUSES = ["open", "muted", "resolved"] as const;
export type ProblemStatus = (typeof PROBLEM_STATUSES)[number];

/**
 * An open problem is resolved when no run has had it for so long: a repaired run leaves it when its rerun begins, and
 * needs time to fail again. A later failure reopens it.
 */
export const CALM_MINUTES = 10;

/** The group for errors beyond the number of problems that a workflow can have. */
export const OTHERS = "Others";

/** Why it reopened: it had been marked resolved, or a repaired run failed again in the same way. */
export type CameBack = "resolved" | "rerun";

/** Entries of a problem's history: actions of people, and automatic changes. */
export const PROBLEM_EVENTS = [
  "note",
  "assign",
  "mute",
  "resolve",
  "reopen",
  "came_back",
  "mute_ended",
  "probe_through",
  "probe_ended",
] as const;
export type ProblemEvent = (typeof PROBLEM_EVENTS)[number];

export interface ProblemState {
  status: ProblemStatus;
  failures: number;
  /** Muted until this total of failures. */
  mutedToCount: number | null;
  resolvedAtMs: number | null;
  /** Failures of older versions do not reopen it. */
  resolvedIn: number | null;
}

/** A run that entered the problem. */
export interface CountedFailure {
  atMs: number;
  version: number;
  /** It was in the problem before, and was repaired. */
  again: boolean;
}

export interface Judgement {
  status: ProblemStatus;
  cameBack: CameBack | null;
  muteEnded: boolean;
}

/**
 * The problem's state after these failures, which its count does not include yet. A resolved problem stays resolved for
 * failures from before that, and from versions older than the one that fixes it.
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

/** What a person may do to a problem. The server enforces these rules, the button explains with them. */
export const PROBLEM_ACTS = [
  "probe",
  "stop_probe",
  "assign",
  "note",
  "mute",
  "resolve",
  "reopen",
  "watch",
  "unwatch",
] as const;
export type ProblemAct = (typeof PROBLEM_ACTS)[number];

/** A problem as the rules of its actions see it. */
export interface ProblemFacts {
  kind: ProblemKind;
  status: ProblemStatus;
  /** Runs that it holds now. */
  openRuns: number;
  /** A probe of it is under way. */
  probing: boolean;
  /** The caller watches it. */
  watching: boolean;
}

const RULES: Record<ProblemAct, (problem: ProblemFacts) => string | null> = {
  probe: whyNoProbe,
  stop_probe: ({ probing }) => (probing ? null : "No probe is under way."),
  assign: () => null,
  note: () => null,
  mute: ({ status }) => (status === "resolved" ? "The problem is resolved. Reopen it first." : null),
  resolve: ({ status }) => (status === "resolved" ? "The problem is already resolved." : null),
  reopen: ({ status }) => (status === "open" ? "The problem is already open." : null),
  watch: ({ watching }) => (watching ? "You already watch this problem." : null),
  unwatch: ({ watching }) => (watching ? null : "You do not watch this problem."),
};

function whyNoProbe({ kind, status, openRuns, probing }: ProblemFacts): string | null {
  if (kind === "outcome_unknown")
    return "A rerun could repeat an effect of unknown outcome. Resolve the unknown outcomes instead.";
  if (kind === "undo_failed") return "A rerun does not repeat compensations. Try a compensation again instead.";
  if (status === "resolved") return "The problem is resolved. Reopen it first.";
  if (probing) return "A probe is already under way.";
  return openRuns === 0 ? "No run has this problem now." : null;
}

export function mayActOnProblem(act: ProblemAct, problem: ProblemFacts): Openness {
  const because = RULES[act](problem);
  return because === null ? { open: true } : { open: false, because };
}

/** Every action with its openness, for the page and for programs. */
export const problemActStates = (problem: ProblemFacts) =>
  PROBLEM_ACTS.map((act) => ({ act, open: RULES[act](problem) === null, because: RULES[act](problem) }));
