/** A call of a store that ignores its signal is waited for no longer than this after it. */
const GRACE_MS = 100;

/** Of a store that does not answer in time. */
export class NoAnswer extends Error {}

/** Ends a call after so many milliseconds, also one that ignores its signal. @throws what it was ended with; what the call throws */
export async function bounded<Result>(
  ms: number,
  call: (signal: AbortSignal) => Promise<Result>,
  onAbandon: (abandon: (error: Error) => void) => () => void = () => () => undefined,
): Promise<Result> {
  const controller = new AbortController();
  let end = (): void => undefined;
  const over = new Promise<never>((_, reject) => {
    let grace: NodeJS.Timeout | undefined;
    const abort = (error: Error) => {
      controller.abort(error);
      grace = setTimeout(() => reject(error), GRACE_MS);
    };
    const timer = setTimeout(() => abort(new NoAnswer(`It has not answered within ${ms} ms.`)), ms);
    const unhear = onAbandon(abort);
    end = () => {
      clearTimeout(timer);
      clearTimeout(grace);
      unhear();
    };
  });
  try {
    return await Promise.race([(async () => call(controller.signal))(), over]);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    end();
  }
}

/** Lets so many calls run at once; the others wait in line. */
export function lanesOf(count: number) {
  let free = count;
  const line: (() => void)[] = [];
  return async <Result>(call: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free--;
    else await new Promise<void>((go) => line.push(go));
    try {
      return await call();
    } finally {
      const next = line.shift();
      if (next) next();
      else free++;
    }
  };
}
