import { type Json, maskedInParts, restored } from "../../engine/privacy/mask";
import type { Db } from "../../store/db";
import { inTurns } from "../in-turns";
import { readRun } from "../runs/reads";
import { loadVeils } from "./veils";

/**
 * An input that was edited in its masked form, with the masked values restored that the editor left in place: whether
 * the editor may see masked values or not.
 * @throws HandrailError `unknown_run`
 */
export async function restoreMasked(db: Db, runId: string, given: Json): Promise<Json> {
  const { input, workflow } = await readRun(db, runId);
  let whole = given;
  for (const sees of [true, false]) {
    const veils = await loadVeils(db, { runs: new Map([[runId, []]]), workflows: new Set([workflow]), sees });
    const { mask, text } = await inTurns(veils.ofRun(runId, workflow));
    whole = restored(whole, await inTurns(maskedInParts(input, mask, text)), input);
  }
  return whole;
}
