import { judgeFailures } from "../../engine/problems/problem";
import { countsBy, type Membership, type ProblemChange, ProblemTally } from "../../engine/problems/problem-tally";
import type { Db } from "../../store/db";
import { forgetTroubles, lockFold, nextTroubles, type TroubleRow } from "../../store/problems/problem-feed";
import {
  addCounts,
  addVersions,
  type FoldedProblem,
  keepMemberships,
  type LockedState,
  lockProblems,
  writeProblems,
} from "../../store/problems/problem-fold";
import { type HistoryEntry, writeHistory } from "../../store/problems/problem-history";
import { faultPoint } from "../fault-points";
import { keptError, problemsOf } from "./problems-of-troubles";

/** Troubles of one fold: bounds its memory, and how long a person's action on one of the problems may have to wait. */
export const FOLDED_AT_ONCE = 500;

/**
 * Folds the oldest troubles into the problems, in one transaction: exactly once, since folded troubles are deleted with
 * it. One process folds at a time; others find nothing to do. Returns the affected runs, FOLDED_AT_ONCE at most.
 */
export async function foldProblems(db: Db): Promise<string[]> {
  const folded = await db.transaction(async (tx) => {
    if (!(await lockFold(tx))) return [];
    const troubles = await nextTroubles(tx, FOLDED_AT_ONCE);
    if (troubles.length === 0) return [];
    await faultPoint("problems:before-fold");
    await fold(tx, troubles);
    await forgetTroubles(
      tx,
      troubles.map(({ seq }) => seq),
    );
    await faultPoint("problems:before-commit");
    return troubles.map(({ run_id }) => run_id);
  });
  if (folded.length > 0) await faultPoint("problems:after-commit");
  return folded;
}

async function fold(tx: Db, troubles: readonly TroubleRow[]): Promise<void> {
  const problemIds = await problemsOf(tx, troubles);
  const tally = new ProblemTally(membershipsOf(troubles));
  for (const [place, trouble] of troubles.entries()) {
    const problemId = problemIds[place];
    const fell =
      problemId && trouble.kind ? { problemId, ...trouble, kind: trouble.kind, error: keptError(trouble) } : null;
    tally.add({ runId: trouble.run_id, atMs: trouble.at_ms, fell });
  }
  const [folded, history] = [[] as FoldedProblem[], [] as HistoryEntry[]];
  for (const state of await lockProblems(tx, [...tally.changes.keys()])) {
    const judged = judge(state, tally.changes.get(state.id) as ProblemChange);
    folded.push(judged.folded);
    history.push(...judged.history);
  }
  await writeProblems(tx, folded);
  if (history.length > 0) await writeHistory(tx, history);
  await countFailures(tx, tally.changes);
  await keepRuns(tx, troubles, tally.memberships);
}

function membershipsOf(troubles: readonly TroubleRow[]): Map<string, Membership> {
  const memberships = new Map<string, Membership>();
  for (const { run_id, problem_id: problemId, since_ms: sinceMs, left_ms: leftMs } of troubles)
    if (problemId && sinceMs !== null) memberships.set(run_id, { problemId, sinceMs, leftMs });
  return memberships;
}

function judge(state: LockedState, change: ProblemChange): { folded: FoldedProblem; history: HistoryEntry[] } {
  const { failures, exhausted, openRuns, newest } = change;
  const { status, cameBack, muteEnded } = judgeFailures(state, failures);
  const entry = (what: "came_back" | "mute_ended", text: string) => ({ problemId: state.id, what, by: null, text });
  const history: HistoryEntry[] = [];
  if (cameBack === "resolved") history.push(entry("came_back", "Failed again after it was resolved."));
  else if (cameBack && state.cameBack === null) history.push(entry("came_back", "A repaired run failed again."));
  if (muteEnded) history.push(entry("mute_ended", `Reached ${state.mutedToCount} failures.`));
  const folded = {
    id: state.id,
    status,
    statusChanged: status !== state.status,
    cameBack,
    failures: failures.length,
    exhausted,
    returned: failures.filter(({ again }) => again).length,
    openRuns,
    firstMs: failures.length > 0 ? Math.min(...failures.map(({ atMs }) => atMs)) : null,
    newest,
  };
  return { folded, history };
}

async function countFailures(tx: Db, changes: ReadonlyMap<string, ProblemChange>): Promise<void> {
  const all = [...changes].map(([id, { failures }]) => ({ id, failures }));
  const counts = all.flatMap(({ id, failures }) =>
    [1, 60].flatMap((minutes) =>
      [...countsBy(minutes, failures)].map(([beginsMs, count]) => ({ id, minutes, beginsMs, failures: count })),
    ),
  );
  if (counts.length === 0) return;
  await addCounts(tx, counts);
  await addVersions(
    tx,
    all.flatMap(({ id, failures }) => failures.map(({ version, atMs }) => ({ id, version, atMs }))),
  );
}

/** A deleted run is skipped; a run that is deleted from now on leaves a trouble, or has left them all. */
async function keepRuns(tx: Db, troubles: readonly TroubleRow[], memberships: ReadonlyMap<string, Membership>) {
  const kept = new Map<string, Membership & { runId: string }>();
  const gone = new Set<string>();
  for (const { run_id: runId, there } of troubles) {
    const membership = memberships.get(runId);
    if (!membership) continue;
    if (!there && membership.leftMs !== null) gone.add(runId);
    else kept.set(runId, { runId, ...membership });
  }
  await keepMemberships(tx, [...kept.values()], [...gone]);
}
