import { HandrailError } from "../engine/errors";
import type { RunToStart } from "../engine/runs/start";
import { MAX_VALUE_BYTES } from "../engine/values/bounds";
import { isLarge } from "../engine/values/is-large";
import { newRunId } from "../store/run-id";
import type { Blobs } from "./blobs";

/** A caller waits. */
const TRIES = 3;

/**
 * A prepared start, with a large input in the blob store: before the transaction that inserts the run, which may be the app's own.
 * @throws HandrailError `blob_unavailable`; `value_too_large` for a debounced start, whose input may become another run's
 */
export async function withStoredInput(blobs: Blobs, run: RunToStart): Promise<RunToStart> {
  if (!isLarge(run.input)) return run;
  if (run.debounce)
    throw new HandrailError(
      "value_too_large",
      `The input of a debounced start may have ${MAX_VALUE_BYTES.toLocaleString("en")} bytes, also with a blob store. Store it elsewhere and keep a reference to it.`,
    );
  const id = newRunId();
  const goesOn = (failures: number) => failures < TRIES;
  const input = await blobs.stored(run.input, { place: [id, "input"], writer: null, goesOn });
  return { ...run, input, large: { id, text: run.input } };
}
