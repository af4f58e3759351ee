import type { Db } from "../db";
import { foundAndLeft } from "./find-runs";
import { Parameters, type RunFilter } from "./run-filter";
import { idAt } from "./run-ids";

export interface HistogramRow {
  /** Runs that were started in it and fit the filter, and those of them that have failed. */
  started: number;
  failed: number;
  /** There are more: counting stopped. */
  started_more: boolean;
  failed_more: boolean;
}

/** Runs counted, or looked at, in one bar: a window of sixty costs no more on ten million runs than on sixty thousand. */
export const MOST_IN_A_BAR = 1_000;

/**
 * How many of the runs that a filter finds were started in each span, by the clock in their ids. The filter's own times count
 * for nothing.
 */
export function countByTime(
  db: Db,
  { createdAfter: _after, createdBefore: _before, ...filter }: RunFilter,
  spans: readonly { fromMs: number; untilMs: number }[],
): Promise<HistogramRow[]> {
  const parameters = new Parameters();
  const from = parameters.add(
    spans.map(({ fromMs }) => idAt(fromMs, "0")),
    "uuid[]",
  );
  const until = parameters.add(
    spans.map(({ untilMs }) => idAt(untilMs, "0")),
    "uuid[]",
  );
  const bounds = {
    limit: parameters.add(MOST_IN_A_BAR + 1, "int"),
    most: MOST_IN_A_BAR,
    within: ["run.id >= bar.from_id", "run.id < bar.until_id"],
  };
  const counted = (narrowed: RunFilter | null) => {
    if (narrowed === null) return "(select 0 as count, false as more)";
    const { found, left } = foundAndLeft(narrowed, parameters, bounds);
    return `(select least(count(*), ${MOST_IN_A_BAR})::int as count, count(*) > ${MOST_IN_A_BAR} or ${left} as more
        from (select from (${found}) as candidate limit ${bounds.limit}) as found)`;
  };
  const text = `
    select started.count as started, failed.count as failed, started.more as started_more, failed.more as failed_more
    from unnest(${from}, ${until}) with ordinality as bar (from_id, until_id, place)
    cross join lateral ${counted(filter)} as started
    cross join lateral ${counted(onlyFailed(filter))} as failed
    order by bar.place`;
  return db.query<HistogramRow>({ name: "", text }, parameters.values);
}

const onlyFailed = (filter: RunFilter): RunFilter | null =>
  filter.status === undefined || filter.status.length === 0 || filter.status.includes("failed")
    ? { ...filter, status: ["failed"] }
    : null;
