/** Runs of one version within a window. */
interface VersionEnds {
  version: number;
  completed: number;
  failed: number;
}

/** Fewer say nothing. */
const ENOUGH_ENDS = 5;
/** From this share on a version is failing, if the one before it was not half as bad. */
const FAILING = 0.2;

/** The share of ends that are failures; null where nothing ended. Cancelled runs are nobody's failure. */
export function failureRatio({ completed, failed }: { completed: number; failed: number }): number | null {
  const ended = completed + failed;
  return ended === 0 ? null : failed / ended;
}

/**
 * The version that a workflow fails since: the newest that ran enough fails, and this is the first of those that fail without a
 * better one between. Null: the newest does not fail, or it always has, so that no version is to blame.
 */
export function failingSince(versions: readonly VersionEnds[]): number | null {
  const judged = versions
    .filter(({ completed, failed }) => completed + failed >= ENOUGH_ENDS)
    .sort((a, b) => b.version - a.version)
    .map(({ version, ...ends }) => ({ version, ratio: failureRatio(ends) ?? 0 }));
  let since: { version: number; ratio: number } | null = null;
  for (const next of judged) {
    if (next.ratio < FAILING) return since !== null && next.ratio < since.ratio / 2 ? since.version : null;
    since = next;
  }
  return null;
}
