import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "../start-error";

const TIMEOUT_MS = 60_000;
const POLL_MS = 100;

/** Waits until the address answers with a 2xx. */
export async function untilHealthy(name: string, url: string, stopping: AbortSignal): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!stopping.aborted) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    if (answer?.ok) return;
    if (Date.now() > deadline) {
      throw new StartError(
        `The ${name} did not answer at ${url} within ${TIMEOUT_MS / 1000} s; what it says is above.`,
      );
    }
    await sleep(POLL_MS);
  }
}
