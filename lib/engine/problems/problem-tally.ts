import type { CountedFailure, ProblemKind } from "./problem";

/** A run that enters or leaves a problem. */
export interface Trouble {
  runId: string;
  atMs: number;
  /** Null: it left its problem, or was deleted. */
  fell: FellIll | null;
}

interface FellIll {
  problemId: string;
  kind: ProblemKind;
  version: number;
  step: string | null;
  /** JSON text. */
  error: string;
  /** The step's retries are exhausted. */
  exhausted: boolean;
}

/** The problem that a run belongs to, or last belonged to. */
export interface Membership {
  problemId: string;
  sinceMs: number;
  leftMs: number | null;
}

/** The increments of a problem. */
export interface ProblemChange {
  failures: CountedFailure[];
  exhausted: number;
  /** Change in the number of its open runs. */
  openRuns: number;
  /** Its newest failure. */
  newest: (Omit<FellIll, "problemId"> & { runId: string; atMs: number }) | null;
}

/**
 * The net change of a sequence of troubles. A run belongs to one problem at a time: its next trouble moves it there,
 * whether it left the previous problem in between or not.
 */
export class ProblemTally {
  readonly changes = new Map<string, ProblemChange>();
  readonly memberships: Map<string, Membership>;

  /** @param before the memberships of every run in the sequence that has one; the tally changes the map */
  constructor(before: Map<string, Membership>) {
    this.memberships = before;
  }

  add({ runId, atMs, fell }: Trouble): void {
    const before = this.memberships.get(runId);
    const held = before?.leftMs === null;
    // As one that is cancelled, or whose next unknown step is alike: it has entered once.
    if (held && fell?.problemId === before.problemId) return;
    if (held) {
      this.of(before.problemId).openRuns--;
      this.memberships.set(runId, { ...before, leftMs: atMs });
    }
    if (!fell) return;
    const { problemId, ...failure } = fell;
    const change = this.of(problemId);
    const again = before?.problemId === problemId;
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

/** Failures by the start of their minute or hour. */
export function countsBy(minutes: number, failures: readonly CountedFailure[]): Map<number, number> {
  const widthMs = minutes * 60_000;
  const counts = new Map<number, number>();
  for (const { atMs } of failures) {
    const begins = Math.floor(atMs / widthMs) * widthMs;
    counts.set(begins, (counts.get(begins) ?? 0) + 1);
  }
  return counts;
}
