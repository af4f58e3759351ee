/** A server that works answers the first question of a read in milliseconds. */
export const PATIENCE_MS = 1_000;

/** The server does not answer at all: nothing of its connections is worth keeping. */
export class Hung extends Error {
  constructor() {
    super(`it does not answer within ${PATIENCE_MS} ms`);
  }
}

/**
 * Resolves as the reading does, but rejects once its server hangs: when the first answer takes longer than a second, or,
 * of a reading that takes longer, when `check` fails, which asks the server beside it each second.
 */
export async function unlessHung<Result>(
  reading: Promise<Result>,
  hasBegun: () => boolean,
  check: () => Promise<unknown>,
): Promise<Result> {
  let over = false;
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_, reject) => {
    const look = () => {
      if (!hasBegun()) return reject(new Hung());
      check().then(
        () => {
          if (!over) timer = setTimeout(look, PATIENCE_MS);
        },
        () => reject(new Hung()),
      );
    };
    timer = setTimeout(look, PATIENCE_MS);
  });
  return Promise.race([reading, hung]).finally(() => {
    over = true;
    clearTimeout(timer);
  });
}
