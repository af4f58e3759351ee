import type { PlanItem } from "../../engine/operations/plan";
import { mayProbe } from "../../engine/problems/probe";
import type { Openness } from "../../engine/runs/operator-acts";
import type { Db } from "../../store/db";
import { findRuns } from "../../store/reads/find-runs";
import { lockRun } from "../../store/runs/lock-run";
import { Planner } from "../operations/planner";

/** The newest affected runs among which a candidate is looked for. */
const LOOKED_AT = 50;

export interface Candidate {
  item: PlanItem;
  /** The step that failed; null: between steps. */
  failedStep: string | null;
}

interface Found {
  candidate: Candidate | null;
  /** Why there is none. */
  because: string | null;
}

/**
 * The affected run to rerun next: of the newest ones that may be rerun without a decision, one that was probed least.
 * @param tried the runs probed before
 */
export async function findCandidate(db: Db, problemId: string, tried: readonly string[]): Promise<Found> {
  const { ids } = await findRuns(db, { problem: problemId }, { after: null, limit: LOOKED_AT });
  const timesOf = (runId: string) => tried.filter((one) => one === runId).length;
  let because = "No run has this problem now.";
  let best: Candidate | null = null;
  for (const found of await judged(db, ids)) {
    if (!found.openness.open) because = found.openness.because;
    else if (best === null || timesOf(found.item.runId) < timesOf(best.item.runId)) best = found;
  }
  return { candidate: best, because: best ? null : because };
}

/**
 * The same, and the transaction holds the run from then on: a candidate is judged again under its lock.
 * @param runId the run that was chosen; left out: one is found
 */
export async function lockCandidate(
  tx: Db,
  problemId: string,
  { tried = [], runId }: { tried?: readonly string[]; runId?: string | undefined },
): Promise<Found> {
  const found = runId === undefined ? await findCandidate(tx, problemId, tried) : null;
  const chosen = runId ?? found?.candidate?.item.runId;
  if (chosen === undefined) return { candidate: null, because: found?.because ?? null };
  await lockRun(tx, chosen);
  const { ids } = await findRuns(tx, { problem: problemId, q: chosen }, { after: null, limit: 1 });
  const [now] = await judged(tx, ids);
  if (!now) return { candidate: null, because: "The run does not have this problem now." };
  return now.openness.open ? { candidate: now, because: null } : { candidate: null, because: now.openness.because };
}

async function judged(db: Db, runIds: readonly string[]): Promise<(Candidate & { openness: Openness })[]> {
  const looked = await new Planner(db, { act: "rerun", params: {} }).look(runIds);
  return looked.map(({ item, facts }) => ({ item, failedStep: facts.failedStep, openness: mayProbe(facts, item) }));
}
