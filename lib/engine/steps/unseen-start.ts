/** A claim whose worker was lost, in milliseconds. */
export interface Loss {
  at: number;
  /** When the next outcome was recorded; null if none was. */
  nextKeptAt: number | null;
}

/**
 * Whether a lost worker may have begun one of these attempts before. The start of a short body is not recorded
 * beforehand, so only the lost claim is on record. The next claim reaches the same steps before any new outcome is
 * kept: an attempt between the loss and that outcome may be the second one; a later one depends on outcomes that the
 * lost worker did not have. Assumes that code between steps waits for nothing but steps.
 */
export const mayHaveBegunUnseen = (starts: readonly number[], losses: readonly Loss[]): boolean =>
  losses.some(({ at, nextKeptAt }) =>
    starts.some((start) => start >= at && (nextKeptAt === null || start <= nextKeptAt)),
  );
