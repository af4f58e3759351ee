import { killChildren } from "./children";

/** npm and tsx pass a Ctrl-C on to us, who had it from the terminal already: that isn't a second one. */
const SAME_SIGNAL_MS = 500;
const LOOK_AT_PARENT_MS = 250;

/**
 * Aborts when the process is asked to stop. Asked again, it kills what still runs and exits at once; the guard then stops the
 * embedded database.
 *
 * @param options.endsWithParent stop, too, when the process that started this one has ended, which no signal announces
 */
export function listenForStop({ endsWithParent }: { endsWithParent: boolean }): AbortSignal {
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
  if (endsWithParent) watchParent(() => stopping.signal.aborted || ask());
  return stopping.signal;
}

function watchParent(onEnd: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onEnd();
  }, LOOK_AT_PARENT_MS);
  timer.unref();
}
