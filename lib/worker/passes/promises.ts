/** For code that must not go on. A new one each time: what waits for one promise is kept in memory as long as that is. */
export const never = () => new Promise<never>(() => undefined);

/** A call's promise; what it throws before it returns one rejects it. */
export function started<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return call();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Promises of any kind, and queries and stubs of libraries that begin when they are awaited. */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  (typeof value === "object" || typeof value === "function") &&
  typeof (value as { then?: unknown } | null)?.then === "function";
