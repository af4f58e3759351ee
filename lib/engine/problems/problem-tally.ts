import type { CountedFailure, ProblemKind } from "./problem";

/** A run that fell ill, or no longer is. */
export interface Trouble {
  runId: string;
  atMs: number;
  /** Null: it left its trouble, or was deleted. */
  fell: FellIll | null;
}

interface FellIll {
  problemId: string;
  kind: ProblemKind;
  version: number;
  step: string | null;
  /** JSON text. */
  error: string;
  /** Its step's attempts were used up. */
  exhausted: boolean;
}

/** The problem that holds a run, or held it last. */
export interface Membership {
  problemId: string;
  sinceMs: number;
  leftMs: number | null;
}

/** What is to be added to a problem. */
export interface ProblemChange {
  failures: CountedFailure[];
  exhausted: number;
  /** Runs that it holds now, more or less than before. */
  openRuns: number;
  /** Its newest failure. */
  newest: (Omit<FellIll, "problemId"> & { runId: string; atMs: number }) | null;
}

/**
 * What a sequence of troubles comes to. A run is held by one problem at a time: what it falls ill of next takes it from the one
 * before, whether it left that in between or not.
 */
export class ProblemTally {
  readonly changes = new Map<string, ProblemChange>();
  readonly memberships: Map<string, Membership>;

  /** @param before those of every run that will be told of, as far as they have one; the tally changes it. */
  constructor(before: Map<string, Membership>) {
    this.memberships = before;
  }

  add({ runId, atMs, fell }: Trouble): void {
    const before = this.memberships.get(runId);
    if (before && before.leftMs === null) {
      this.of(before.problemId).openRuns--;
      this.memberships.set(runId, { ...before, leftMs: atMs });
    }
    if (!fell) return;
    const { problemId, ...failure } = fell;
    const change = this.of(problemId);
    const again = before?.problemId === problemId && before.leftMs !== null;
    change.failures.push({ atMs, version: fell.version, again });
    change.exhausted += fell.exhausted ? 1 : 0;
    change.openRuns++;
    if (!change.newest || change.newest.atMs <= atMs) change.newest = { ...failure, runId, atMs };
    this.memberships.set(runId, { problemId, sinceMs: atMs, leftMs: null });
  }

  private of(problemId: string): ProblemChange {
    const change = this.changes.get(problemId) ?? { failures: [], exhausted: 0, openRuns: 0, newest: null };
    this.changes.set(problemId, change);
    return change;
  }
}

/** Failures by the beginnings of their minutes or hours. */
export function countsBy(minutes: number, failures: readonly CountedFailure[]): Map<number, number> {
  const widthMs = minutes * 60_000;
  const counts = new Map<number, number>();
  for (const { atMs } of failures) {
    const begins = Math.floor(atMs / widthMs) * widthMs;
    counts.set(begins, (counts.get(begins) ?? 0) + 1);
  }
  return counts;
}
