import { type Json, maskedInParts } from "../../engine/privacy/mask";
import { isBlob } from "../../engine/values/blob";
import type { Db } from "../../store/db";
import type { Keyed, Starter } from "../../store/runs/starter";
import { inTurns } from "../in-turns";
import { loadVeils } from "../masking/veils";

/** @param asker the caller, and whether they may see masked values */
export const starterOf = ({ owner, sees }: { owner: string; sees: boolean }): Starter => ({
  owner,
  seenWhole: async (db, runs) => (sees ? new Set(runs.map(({ id }) => id)) : shownWhole(db, runs)),
  joinsOthers: async (db, workflow) => sees || !(await masks(db, workflow)),
});

async function masks(db: Db, workflow: string): Promise<boolean> {
  const veils = await loadVeils(db, { runs: new Map(), workflows: new Set([workflow]), sees: false });
  return veils.ofWorkflow(workflow).hides;
}

/** The runs whose inputs have no masked value, for a caller who may not see masked values. */
async function shownWhole(db: Db, runs: readonly Keyed[]): Promise<ReadonlySet<string>> {
  const texts = new Map<string, Json[]>(runs.map(({ id }) => [id, []]));
  const veils = await loadVeils(db, {
    runs: texts,
    workflows: new Set(runs.map(({ workflow }) => workflow)),
    sees: false,
  });
  const whole = new Set<string>();
  for (const { id, workflow, input } of runs) {
    // What is in the blob store is not looked through.
    if (isBlob(input)) continue;
    const { mask, text } = await inTurns(veils.ofRun(id, workflow));
    const shown = await inTurns(maskedInParts(JSON.parse(input), mask, text));
    if (JSON.stringify(shown) === JSON.stringify(JSON.parse(input))) whole.add(id);
  }
  return whole;
}
