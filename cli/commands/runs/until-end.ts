import type { Run } from "../../../lib/api/contract/run";
import { hasEnded } from "../../../lib/engine/runs/run";
import { EXIT, type ExitCode } from "../../exit-codes";
import type { Session } from "../../session/session";
import { TimedOut } from "../../session/stops";

/** Of a run that has ended. */
export const exitOf = ({ status }: Pick<Run, "status">): ExitCode =>
  status === "completed" ? EXIT.done : EXIT.runFailed;

/**
 * The run as often as it is read, the last time ended. Its end is noticed at once, other changes within `everyMs`.
 * @param timeoutMs absent: for as long as it takes. @throws TimedOut
 */
export async function* untilEnd(
  { client }: Pick<Session, "client">,
  runId: string,
  { everyMs, timeoutMs }: { everyMs: number; timeoutMs?: number | undefined },
): AsyncGenerator<Run> {
  const since = performance.now();
  for (let run = await client.read("/v1/runs/{runId}", { runId }); ; ) {
    yield run;
    if (hasEnded(run.status)) return;
    const leftMs = timeoutMs === undefined ? everyMs : timeoutMs - (performance.now() - since);
    if (leftMs <= 0) throw new TimedOut(`Run ${runId} has not ended in time: it is ${run.status}.`);
    const waitMs = Math.ceil(Math.min(everyMs, leftMs));
    run = await client.read("/v1/runs/{runId}/result", { runId, waitMs });
  }
}
