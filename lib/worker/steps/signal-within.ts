/**
 * Aborts with `signal`, and after `ms`. The timer is Node's: a signal of `AbortSignal.timeout` within `AbortSignal.any` may be
 * garbage-collected before its time, and then never aborts. `done` ends the timer.
 */
export function signalWithin(ms: number, signal: AbortSignal): { signal: AbortSignal; done: () => void } {
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new DOMException(`No answer within ${ms / 1_000} s.`, "TimeoutError")),
    ms,
  );
  return { signal: AbortSignal.any([signal, timeout.signal]), done: () => clearTimeout(timer) };
}
