import { type CountedSteps, RollupTally } from "../../engine/flow/rollup";
import { stepPattern } from "../../engine/steps/step-pattern";
import { databaseNow } from "../../store/database/database-now";
import type { Db } from "../../store/db";
import { isCountDue, keepProgress, lockRollups, nextEnds, nextStarts, settle } from "../../store/flow/rollup-feed";
import { addRollups, learnStepNames, listStepNames, type StepName } from "../../store/flow/rollup-fold";
import { faultPoint } from "../fault-points";

/** Runs of one fold: some tens of milliseconds and a few hundred rows written, however many runs begin and end. */
export const COUNTED_AT_ONCE = 2_000;
/** Distinct names of steps in a workflow; further ones are counted without a name. */
export const MAX_STEP_NAMES = 200;

/**
 * Counts the next starts and ends of runs, in one transaction: exactly once, since its position is kept with the
 * counts, and moves only as far as nothing earlier can still commit. One process folds at a time; others find nothing
 * to do. Returns whether there is more at once.
 */
export async function foldRollups(db: Db, limit = COUNTED_AT_ONCE): Promise<boolean> {
  if (!(await isCountDue(db))) return false;
  const counted = await db.transaction(async (tx) => {
    const before = await lockRollups(tx);
    if (!before) return null;
    const settled = await settle(tx, before);
    if (settled.settledAt === "-infinity") {
      await keepProgress(tx, settled);
      return { taken: 0, more: false };
    }
    const [starts, ends] = [await nextStarts(tx, settled, limit), await nextEnds(tx, settled, limit)];
    const tally = new RollupTally((await databaseNow(tx)).getTime());
    for (const start of [...starts.starts, ...ends.lateStarts]) tally.addStarts(start);
    for (const end of ends.ends) tally.addEnds(end);
    for (const step of await named(tx, ends.steps)) tally.addSteps(step);
    const taken = starts.taken + ends.taken;
    if (taken > 0) await faultPoint("rollups:before-fold");
    await addRollups(tx, tally);
    await keepProgress(tx, {
      ...settled,
      startedId: starts.last ?? settled.startedId,
      endedAt: ends.last?.at ?? settled.endedAt,
      endedId: ends.last?.id ?? settled.endedId,
    });
    if (taken > 0) await faultPoint("rollups:before-commit");
    return { taken, more: starts.taken === limit || ends.taken === limit };
  });
  if (counted && counted.taken > 0) await faultPoint("rollups:after-commit");
  return counted?.more ?? false;
}

/** The steps by their distinct names; new names are added while there is room. */
async function named(tx: Db, steps: readonly CountedSteps[]): Promise<CountedSteps[]> {
  if (steps.length === 0) return [];
  const known = new Map<string, Set<string>>();
  const namesOf = (workflow: string) => {
    const names = known.get(workflow) ?? new Set();
    known.set(workflow, names);
    return names;
  };
  const workflows = [...new Set(steps.map(({ workflow }) => workflow))];
  for (const { workflow, step } of await listStepNames(tx, workflows)) namesOf(workflow).add(step);
  const learnt: StepName[] = [];
  const result = steps.map((counted) => {
    const { workflow } = counted;
    const step = stepPattern(counted.step);
    const names = namesOf(workflow);
    if (names.has(step)) return { ...counted, step };
    if (names.size >= MAX_STEP_NAMES) return { ...counted, step: "" };
    names.add(step);
    learnt.push({ workflow, step });
    return { ...counted, step };
  });
  await learnStepNames(tx, learnt);
  return result;
}
