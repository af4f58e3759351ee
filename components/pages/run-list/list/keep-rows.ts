/** The rows of a list that stays where it is: as answered last, with those that have left it meanwhile in their places. */
export interface KeptRows<Row> {
  rows: Row[];
  /** Ids of rows that no longer fit the filter. */
  left: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * A row that no longer matches stays until the list is refreshed: it would vanish from under the pointer otherwise,
 * and with it the run that one has just acted on.
 * @param more whether the list continues behind what is loaded: the last row may have been pushed there
 */
export function keepRows<Row extends { id: string }>(before: KeptRows<Row>, now: Row[], more: boolean): KeptRows<Row> {
  const there = new Set(now.map(({ id }) => id));
  // Also when one of those kept came back: then nothing is kept, and the answer is the list.
  const gone = behindNone(before.rows, there, more);
  if (gone.size === 0) return { rows: now, left: NONE };
  const after = new Map<string | null, Row[]>();
  let last: string | null = null;
  for (const row of before.rows) {
    if (there.has(row.id)) last = row.id;
    else if (gone.has(row.id)) after.set(last, [...(after.get(last) ?? []), row]);
  }
  const rows = [...(after.get(null) ?? []), ...now.flatMap((row) => [row, ...(after.get(row.id) ?? [])])];
  return { rows, left: gone };
}

/** Those that are gone, but for the ones behind the last that is still there. */
function behindNone(before: readonly { id: string }[], there: ReadonlySet<string>, more: boolean): ReadonlySet<string> {
  const end = more
    ? Math.max(
        0,
        before.findLastIndex(({ id }) => there.has(id)),
      )
    : before.length;
  return new Set(before.slice(0, end).flatMap(({ id }) => (there.has(id) ? [] : [id])));
}
