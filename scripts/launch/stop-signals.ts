import { killChildren } from "./children";

/** npm and tsx pass a Ctrl-C on to us, who had it from the terminal already: that isn't a second one. */
const SAME_SIGNAL_MS = 500;

/**
 * Aborts when the process is asked to stop. Asked again, it kills what still runs and exits at once; the embedded
 * database then stays up, which the next start finds and goes on with.
 */
export function listenForStop(): AbortSignal {
  const stopping = new AbortController();
  let askedAt = 0;
  const ask = () => {
    if (stopping.signal.aborted) {
      if (Date.now() - askedAt < SAME_SIGNAL_MS) return;
      killChildren();
      process.exit(1);
    }
    askedAt = Date.now();
    stopping.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, ask);
  return stopping.signal;
}
