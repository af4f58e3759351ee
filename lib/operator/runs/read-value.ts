import type { Blobs } from "../../blobs/blobs";
import { HandrailError, unknownRun } from "../../engine/errors";
import { blobRef, isBlob } from "../../engine/values/blob";
import type { BlobPlace } from "../../store/blobs/announce";
import { selectStoredValue, type ValuePart } from "../../store/blobs/read-value";
import type { Db } from "../../store/db";
import { inTurns } from "../in-turns";
import { asJsonInParts } from "../values";

interface AskedValue {
  part: ValuePart;
  /** With `step` as the part. */
  step?: string | undefined;
  /** Of the step. Default: its last one. */
  generation?: number | undefined;
}

/**
 * A value of a run that is in the blob store.
 * @throws HandrailError `unknown_run`; `not_found` if it is none, or not there; `blob_unavailable`; `payload_locked`
 */
export async function readValue(db: Db, blobs: Blobs, runId: string, asked: AskedValue) {
  const found = await selectStoredValue(db, runId, asked);
  if (!found) throw unknownRun(runId);
  const { workflow, text, generation } = found;
  const { part } = asked;
  const step = part === "step" ? (asked.step as string) : null;
  if (text === null || !isBlob(text))
    throw new HandrailError(
      "not_found",
      "This value is not in the blob store: where the run has one, its own answer includes it.",
      { runId, part },
    );
  const place: BlobPlace =
    step === null ? [runId, part as "input" | "output"] : [runId, "step", step, generation as number];
  const value = await inTurns(asJsonInParts(await blobs.loaded(place, text)));
  return { runId, workflow, part, step, generation, size: blobRef(text).size, value };
}
