import { startGuard } from "./guard";
import { say } from "./say";
import { listenForStop } from "./stop-signals";

type Stoppable = { stop: () => Promise<unknown> };

/** Starts something and sees to it that it is stopped; throws if we are stopping already. */
export type Begin = <Started extends Stoppable>(start: () => Started) => Started;

/**
 * Runs until the work ends by itself or a signal asks to stop, then stops what was begun: the last first, since what
 * comes later leans on what was there before.
 */
export async function launch(
  work: (begin: Begin, stopping: AbortSignal) => Promise<void>,
  options: { endsWithParent: boolean },
): Promise<void> {
  const stopping = listenForStop(options);
  const begun: Stoppable[] = [];
  const begin: Begin = (start) => {
    stopping.throwIfAborted();
    const started = start();
    begun.unshift(started);
    return started;
  };
  begin(startGuard);
  const asked = new Promise<void>((resolve) => stopping.addEventListener("abort", () => resolve()));
  try {
    await Promise.race([work(begin, stopping), asked]);
  } finally {
    if (stopping.aborted) say("Stopping …");
    for (const { stop } of begun) await stop();
  }
}
