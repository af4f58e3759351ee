/** A claim whose worker was lost, in milliseconds. */
export interface Loss {
  at: number;
  /** When the first outcome after it was kept; null when none was. */
  nextKeptAt: number | null;
}

/**
 * Whether one of these attempts may have been begun before, by a worker that was lost. The start of a short body is not
 * marked beforehand, so that all there is of it then is the lost claim. The next claim meets the same steps before any new
 * outcome is kept: an attempt between the loss and that outcome may be the second one; a later one waits for what
 * the lost worker did not have. Assumes that code between steps waits for nothing but steps.
 */
export const mayHaveBegunUnseen = (starts: readonly number[], losses: readonly Loss[]): boolean =>
  losses.some(({ at, nextKeptAt }) =>
    starts.some((start) => start >= at && (nextKeptAt === null || start <= nextKeptAt)),
  );
