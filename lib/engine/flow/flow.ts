/** Ended runs of one version within a window. */
interface VersionEnds {
  version: number;
  completed: number;
  failed: number;
}

/** Fewer ends are not significant. */
const ENOUGH_ENDS = 5;
/** From this share on a version is failing, unless the previous one had at least half of that share. */
const FAILING = 0.2;

/** The share of ends that are failures; null if nothing ended. Cancelled runs do not count as failures. */
export function failureRatio({ completed, failed }: { completed: number; failed: number }): number | null {
  const ended = completed + failed;
  return ended === 0 ? null : failed / ended;
}

/**
 * The version since which a workflow fails: the newest version with enough runs fails, and this is the first failing
 * one without a better one in between. Null: the newest does not fail, or none is to blame because it always has.
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
