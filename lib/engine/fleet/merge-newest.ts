/** Runs that one cell has given, newest first. */
export interface CellRuns<Run extends { id: string }> {
  runs: readonly Run[];
  /** All its runs down to this id are among them; null: all that it has. */
  to: string | null;
}

/**
 * The newest runs of all cells, down to the highest `to`: below it, a cell may have runs that it has not given yet. Ids are in the
 * order of time, so that an id is the same place in every cell.
 * @returns `to`: there may be more runs below this id; null: there are none
 */
export function mergeNewest<Run extends { id: string }>(cells: readonly CellRuns<Run>[], limit: number) {
  const floor =
    cells
      .flatMap(({ to }) => to ?? [])
      .sort()
      .at(-1) ?? null;
  const all = cells
    .flatMap(({ runs }) => runs)
    .filter(({ id }) => floor === null || id >= floor)
    .sort((a, b) => (a.id < b.id ? 1 : -1));
  const runs = all.slice(0, limit);
  return { runs, to: all.length > limit ? (runs.at(-1)?.id ?? null) : floor };
}
