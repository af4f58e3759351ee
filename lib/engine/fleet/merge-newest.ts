/** What one cell has given of its runs, newest first. */
export interface Looked<Run extends { id: string }> {
  runs: readonly Run[];
  /** How far down the order of ids it has looked; null: to its end. */
  to: string | null;
}

/**
 * The newest of all cells, down to where each of them has looked: below may be runs that one of them has not given yet.
 * Ids contain their time, so that one id is a place in every cell.
 * @returns `to`: from where on there is more; null: there is none
 */
export function mergeNewest<Run extends { id: string }>(looked: readonly Looked<Run>[], limit: number) {
  const [lowest = null] = looked
    .flatMap(({ to }) => to ?? [])
    .sort()
    .reverse();
  const all = looked
    .flatMap(({ runs }) => runs)
    .filter(({ id }) => lowest === null || id >= lowest)
    .sort((a, b) => (a.id < b.id ? 1 : -1));
  const runs = all.slice(0, limit);
  return { runs, to: all.length > limit ? (runs.at(-1)?.id ?? null) : lowest };
}
