import type { RollupMinutes } from "../../engine/flow/rollup";
import { idAt } from "../../engine/runs/run-ids";
import type { Db, Statement } from "../db";
import { foundAndLeft, lookedAtText } from "./find-runs";
import { narrowed } from "./narrowed";
import { spansEveryState } from "./run-counts";
import { Parameters, type RunFilter } from "./run-filter";

export interface HistogramRow {
  /** Runs that were started in it and match the filter, and how many of them have failed. */
  started: number;
  failed: number;
  /** There are more: counting stopped. */
  started_more: boolean;
  failed_more: boolean;
}

/** Runs counted, or read, in one bar: a window of sixty costs no more on ten million runs than on sixty thousand. */
const MOST_IN_A_BAR = 1_000;
/** If each counted run has to be read: in a bar, and in all of them. */
const MOST_LOOKED_AT = [1_000, 500, 200];
const MOST_LOOKED_AT_IN_ALL = 15_000;

/**
 * How many of the runs that match a filter were started in each span, by the clock in their ids. The filter's own times
 * are ignored.
 */
export async function countByTime(
  db: Db,
  { createdAfter: _after, createdBefore: _before, ...given }: RunFilter,
  spans: readonly { fromMs: number; untilMs: number }[],
): Promise<HistogramRow[]> {
  const filter = await narrowed(db, given);
  const parameters = new Parameters();
  const from = parameters.add(
    spans.map(({ fromMs }) => idAt(fromMs, "0")),
    "uuid[]",
  );
  const until = parameters.add(
    spans.map(({ untilMs }) => idAt(untilMs, "0")),
    "uuid[]",
  );
  const within = ["run.id >= bar.from_id", "run.id < bar.until_id"];
  if (spansEveryState(filter)) {
    const most = MOST_LOOKED_AT.find((one) => one * spans.length <= MOST_LOOKED_AT_IN_ALL) ?? MOST_LOOKED_AT.at(-1);
    const text = `
    select counted.* from unnest(${from}, ${until}) with ordinality as bar (from_id, until_id, place)
    cross join lateral (${onOneWalk(filter, parameters, most as number, within)}) as counted
    order by bar.place`;
    return db.query<HistogramRow>({ name: "", text }, parameters.values);
  }
  const bounds = { limit: parameters.add(MOST_IN_A_BAR + 1, "int"), most: MOST_IN_A_BAR, within };
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

/** Those that were started and those that have failed, among the same runs. */
function onOneWalk(filter: RunFilter, parameters: Parameters, most: number, within: readonly string[]): string {
  const failed = onlyFailed(filter) === null ? "false" : "status = 'failed'";
  return `
      select count(distinct id) filter (where fits)::int as started, count(distinct id) filter (where fits and ${failed})::int as failed,
        coalesce(max(of_lane) = ${most}, false) as started_more, coalesce(max(of_lane) = ${most}, false) as failed_more
      from (select *, count(*) over (partition by lane) as of_lane
        from (${lookedAtText(filter, parameters, { most, within })}) as looked_at) as numbered`;
}

const onlyFailed = (filter: RunFilter): RunFilter | null =>
  filter.status === undefined || filter.status.length === 0 || filter.status.includes("failed")
    ? { ...filter, status: ["failed"] }
    : null;

interface CountedStarts {
  /** Of each period that has any, by its beginning. */
  periods: { atMs: number; started: number }[];
  /** The first start that is not counted yet; null when all are. */
  nextId: string | null;
}

const countedStartsStatement: Statement = {
  name: "counted-starts",
  text: `
    select (select coalesce(json_agg(period), '[]') from (
        select extract(epoch from at)::float8 * 1000 as "atMs", sum(started)::int as started from handrail.run_rollup
        where minutes = $1::smallint and at >= to_timestamp($2::float8 / 1000) and at < to_timestamp($3::float8 / 1000)
          and ($4::text[] is null or workflow = any ($4::text[])) and not workflow = any ($5::text[])
        group by at) as period) as periods,
      (select id from handrail.run where id > (select started_id from handrail.rollup_fold) order by id limit 1) as "nextId"`,
};

/** From the rollups, without a limit: of some workflows, or of all (null) but those of `without`. */
export async function selectCountedStarts(
  db: Db,
  asked: { minutes: RollupMinutes; fromMs: number; untilMs: number; workflows: string[] | null; without: string[] },
): Promise<CountedStarts> {
  const { minutes, fromMs, untilMs, workflows, without } = asked;
  const [row] = await db.query<CountedStarts>(countedStartsStatement, [minutes, fromMs, untilMs, workflows, without]);
  return row as CountedStarts;
}
