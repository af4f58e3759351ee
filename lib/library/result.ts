import { HandrailError } from "../engine/errors";
import { outcomeError } from "../engine/runs/outcome-error";
import { decodeValue } from "../engine/values/codec";
import type { EndWaits } from "../operator/changes/end-waits";
import type { Db } from "../store/db";
import { selectRunStatus } from "../store/reads/run-detail";
import { childOutcomes } from "../store/runs/children";

export interface ResultOptions {
  /** Default: until the end, however long that takes. */
  timeoutMs?: number;
  /** Ends the wait, not the run. */
  signal?: AbortSignal;
}

/** What timers take. */
const LONGEST_WAIT_MS = 2_147_483_647;

/**
 * The run's output, once it has ended. Woken by the end: a thousand waits share one connection.
 * @throws HandrailError `run_failed`, with the run's error as its cause, if it failed, was cancelled or compensated;
 * `wait_timed_out` after `timeoutMs`; `unknown_run`; `too_busy` from 2,000 waits of one app on; `payload_locked`; the signal's
 * reason
 */
export async function resultOf<Output>(
  { db, ends }: { db: Db; ends: EndWaits },
  runId: string,
  { timeoutMs = LONGEST_WAIT_MS, signal = new AbortController().signal }: ResultOptions,
): Promise<{ output: Output }> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const waitMs = Math.min(Math.max(deadline - performance.now(), 0), LONGEST_WAIT_MS);
    if (!(await ends.untilEnd(runId, { waitMs, signal, by: null }))) {
      signal.throwIfAborted();
      throw await notEnded({ db }, runId, timeoutMs, performance.now() >= deadline);
    }
    const [ended] = await childOutcomes(db, [runId]);
    // Between the two, a person may have begun it again.
    if (!ended) continue;
    const { status, output } = ended;
    if (status !== "completed") throw outcomeError("run_failed", { ...ended, status });
    return { output: (output === null ? undefined : decodeValue(output)) as Output };
  }
}

async function notEnded({ db }: { db: Db }, runId: string, timeoutMs: number, late: boolean): Promise<HandrailError> {
  if (!late)
    return new HandrailError("unavailable", "Handrail was closed while somebody waited for the end of a run.", {
      runId,
    });
  const status = (await selectRunStatus(db, runId))?.status;
  return new HandrailError(
    "wait_timed_out",
    `The run ${runId} has not ended within ${timeoutMs} ms: it is ${status}. It goes on; ask for its result again.`,
    { runId, status },
  );
}
