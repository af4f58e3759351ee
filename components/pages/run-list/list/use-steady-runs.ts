"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { runsAsked } from "@/components/domain/run-filter/run-url";
import type { RunFilter } from "@/lib/api/contract/requests";
import type { RunListItem } from "@/lib/api/contract/run";
import { runsQuery } from "@/lib/api/hooks/queries";
import type { RunSort } from "@/lib/engine/runs/run";

interface Opened extends KeptRows<RunListItem> {
  /** Of the question that it was opened with. */
  key: string;
  /** The answer that the rows are made from. */
  of: unknown;
  /** Ids rise with time: whatever is newer than the newest of the first answer arrived later. */
  newestId: string | null;
}

const NO_RUNS: RunListItem[] = [];
const NOTHING = { key: "", of: undefined, newestId: null, rows: NO_RUNS, left: new Set<string>() };

/**
 * The list, patched in place: newer runs wait until they are requested, and those that leave the filter stay until
 * then, so that no row jumps or vanishes from under a pointer.
 */
export function useSteadyRuns({ filter, paths, sort }: { filter: RunFilter; paths: string[]; sort: RunSort }) {
  const query = useInfiniteQuery(runsQuery(runsAsked(filter, paths, sort)));
  const key = JSON.stringify([filter, sort]);
  const [opened, setOpened] = useState<Opened>(NOTHING);
  const runs = query.data?.runs ?? NO_RUNS;
  const newestId = runs[0]?.id ?? null;
  const answered = query.data !== undefined && !query.isPlaceholderData;
  const current = opened.key === key ? opened : null;
  // In another order, new runs do not appear above what the user reads.
  const { shown, held } = splitAtNewest(runs, (sort === "newest" && current?.newestId) || null);
  if (answered && (!current || current.of !== query.data)) {
    const before = current ?? { rows: NO_RUNS, left: NOTHING.left };
    // So many are new that none of the displayed runs is in the answer any more: the list stays as it is.
    const pushedOut = before.rows.length > 0 && held > 0 && shown.length === 0;
    const kept = pushedOut ? before : keepRows(before, shown, query.hasNextPage);
    setOpened({ ...kept, key, of: query.data, newestId: current ? current.newestId : newestId });
  }
  const steady = current ?? { rows: shown, left: NOTHING.left };
  return {
    query,
    runs: steady.rows,
    held,
    /** Ids of the rows that no longer fit the filter. */
    left: steady.left,
    refresh: () => setOpened({ key, of: query.data, newestId, rows: runs, left: NOTHING.left }),
  };
}

/** `held`: how many are newer than `newestId`; without it, everything is shown. */
export function splitAtNewest(runs: RunListItem[], newestId: string | null): { shown: RunListItem[]; held: number } {
  if (newestId === null) return { shown: runs, held: 0 };
  const shown = runs.filter((run) => run.id <= newestId);
  return { shown, held: runs.length - shown.length };
}

/** The rows of a list that stays where it is: as answered last, with those that have left it meanwhile in their places. */
interface KeptRows<Row> {
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
