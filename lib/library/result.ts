import { type Blobs, UNTIL_THIRD_TRY } from "../blobs/blobs";
import { HandrailError } from "../engine/errors";
import { outcomeError } from "../engine/runs/outcome-error";
import { hasEnded, type RunStatus } from "../engine/runs/run";
import { isBlob } from "../engine/values/blob";
import { decodeValue } from "../engine/values/codec";
import type { EndWaits } from "../operator/changes/end-waits";
import { neverPublished } from "../operator/runs/read-published";
import type { BlobPlace } from "../store/blobs/announce";
import type { Db } from "../store/db";
import { selectRunStatus } from "../store/reads/run-detail";
import { childOutcomes } from "../store/runs/children";
import { selectPublished } from "../store/steps/published";

export interface ResultOptions {
  /** Default: until the end, however long that takes. */
  timeoutMs?: number;
  /** Ends the wait, not the run. */
  signal?: AbortSignal;
}

/** The waits for runs of one app. */
export const waitsOf = (of: Of) => ({
  result: <Output>(runId: string, options: ResultOptions) => resultOf<Output>(of, runId, options),
  published: <Value>(runId: string, name: string, options: ResultOptions) =>
    publishedBy<Value>(of, runId, name, options),
});

interface Of {
  db: Db;
  ends: EndWaits;
  blobs: Blobs;
}

/** What timers take. */
const LONGEST_WAIT_MS = 2_147_483_647;
/** What a value in the blob store is given at least to come, once its run has ended: a look without patience gets it, too. */
const LOADING_MS = 3_000;

/**
 * The run's output, once it has ended. Woken by the end: a thousand waits share one connection.
 * @throws HandrailError `run_failed`, with the run's error as its cause, if it failed, was cancelled or compensated;
 * `wait_timed_out` after `timeoutMs`; `unknown_run`; `too_busy` from 2,000 waits of one app on; `payload_locked`; `blob_unavailable`; the signal's
 * reason
 */
async function resultOf<Output>(
  { db, ends, blobs }: Of,
  runId: string,
  { timeoutMs = LONGEST_WAIT_MS, signal = new AbortController().signal }: ResultOptions,
): Promise<{ output: Output }> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    if (!(await ends.untilEnd(runId, waitUntil(deadline, signal)))) {
      signal.throwIfAborted();
      throw await notCome(
        { db, ends },
        runId,
        (status) =>
          `The run ${runId} has not ended within ${timeoutMs} ms: it is ${status}. It goes on; ask for its result again.`,
      );
    }
    const [ended] = await childOutcomes(db, [runId]);
    // Between the two, a person may have begun it again.
    if (!ended) continue;
    const { status, output } = ended;
    if (status !== "completed") throw outcomeError("run_failed", { ...ended, status });
    if (output === null) return { output: undefined as Output };
    return { output: decodeValue(await loadedInTime(blobs, [runId, "output"], output, deadline, signal)) as Output };
  }
}

/**
 * What a run has published under a name, once it has.
 * @throws HandrailError `not_found` once the run has ended without; and as `resultOf`, but for `run_failed`
 */
async function publishedBy<Value>(
  { db, ends, blobs }: Of,
  runId: string,
  name: string,
  { timeoutMs = LONGEST_WAIT_MS, signal = new AbortController().signal }: ResultOptions,
): Promise<Value> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const come = await ends.untilPublished(runId, name, waitUntil(deadline, signal));
    const found = await selectPublished(db, { runId, name });
    if (found?.value) {
      const place = [runId, "step", name, found.generation as number] as const;
      return decodeValue(await loadedInTime(blobs, place, found.value, deadline, signal)) as Value;
    }
    if (found && hasEnded(found.status)) throw neverPublished(runId, found.status);
    // A rerun that superseded the value came in between.
    if (come) continue;
    signal.throwIfAborted();
    throw await notCome(
      { db, ends },
      runId,
      (status) =>
        `The run ${runId} has not published "${name}" within ${timeoutMs} ms: it is ${status}. It goes on; ask again.`,
    );
  }
}

const waitUntil = (deadline: number, signal: AbortSignal) => ({
  waitMs: Math.min(Math.max(deadline - performance.now(), 0), LONGEST_WAIT_MS),
  signal,
  by: null,
});

/** A value that may be in the blob store. @throws HandrailError `wait_timed_out`, the signal's reason, and as `loaded` */
async function loadedInTime(blobs: Blobs, place: BlobPlace, text: string, deadline: number, signal: AbortSignal) {
  if (!isBlob(text)) return text;
  const loading = new AbortController();
  const { signal: over } = loading;
  const leave = () => loading.abort(signal.reason);
  const late = () =>
    loading.abort(
      new HandrailError(
        "wait_timed_out",
        `A value of the run ${place[0]} has not come from the blob store in time. It is kept; ask for it again.`,
        { runId: place[0] },
      ),
    );
  const timer = setTimeout(late, Math.min(Math.max(deadline - performance.now(), LOADING_MS), LONGEST_WAIT_MS));
  const onAbandon = (abandon: (error: Error) => void) => {
    const end = () => abandon(over.reason);
    over.addEventListener("abort", end);
    return () => over.removeEventListener("abort", end);
  };
  const ended = new Promise<never>((_, fail) => onAbandon(fail));
  const goesOn = (failures: number) => UNTIL_THIRD_TRY.goesOn(failures) && !over.aborted;
  signal.addEventListener("abort", leave);
  if (signal.aborted) leave();
  try {
    return await Promise.race([ended, blobs.loaded(place, text, { goesOn, onAbandon })]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  }
}

/** Not by the clock: a timer may be a moment early. */
async function notCome(
  { db, ends }: Pick<Of, "db" | "ends">,
  runId: string,
  say: (status: RunStatus | undefined) => string,
): Promise<HandrailError> {
  if (ends.isClosed)
    return new HandrailError("unavailable", "Handrail was closed while somebody waited for a run.", { runId });
  const status = (await selectRunStatus(db, runId))?.status;
  return new HandrailError("wait_timed_out", say(status), { runId, status });
}
