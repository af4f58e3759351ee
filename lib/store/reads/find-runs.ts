import type { RunSort } from "../../engine/runs/run";
import { CLOCK_SLACK_MS, idAt } from "../../engine/runs/run-ids";
import type { Db } from "../db";
import { attentionOf } from "../runs/attention";
import { narrowed } from "./narrowed";
import { FIRST_LOOK, MOST_LOOKED_AT, stillToLookAt } from "./pace";
import { Parameters, type RunFilter } from "./run-filter";
import { bounded, type Lane, laneByEnd, lanesOf } from "./run-lanes";

/** Where a list continues: after the run of this id; by its end, after this instant, too. */
export type RunKey = readonly [id: string, endedAt: string | null];

const ORDERS = {
  newest: { key: "run.id", by: "run.id desc", behind: "run.id <", from: lanesInTime },
  oldest: { key: "run.id", by: "run.id", behind: "run.id >", from: lanesInTime },
  ended: {
    key: "run.id, run.finished_at",
    by: "run.finished_at desc, run.id desc",
    behind: "(run.finished_at, run.id) <",
    from: (filter: RunFilter, parameters: Parameters): Lane[] => {
      const { fits, ...lane } = laneByEnd(filter, parameters);
      return [{ ...lane, fits: [...fits, ...beganWithin(filter, parameters, { byId: false })] }];
    },
  },
} as const satisfies Record<RunSort, unknown>;

export interface FoundRuns {
  ids: string[];
  /** Null at the end of the list. */
  next: RunKey | null;
  /** Whether the page is short because the bound on runs read was reached, and not because there are no more. */
  stopped: boolean;
}

interface FoundRow {
  keys: RunKey[];
  horizon: RunKey | null;
}

export interface Looking {
  after: RunKey | null;
  limit: number;
  sort?: RunSort;
  /** Milliseconds after which the search stops, having read FIRST_LOOK runs at least. Default: no limit. */
  budgetMs?: number | undefined;
}

/**
 * One page of the runs that match a filter. However many runs there are, no more than MOST_LOOKED_AT are read on each
 * way to them: a page may be short, or empty, and have a next one.
 */
export async function findRuns(
  db: Db,
  given: RunFilter,
  { after, limit, sort = "newest", budgetMs = Number.POSITIVE_INFINITY }: Looking,
): Promise<FoundRuns> {
  const since = performance.now();
  const filter = await narrowed(db, given);
  const ids: string[] = [];
  let looked = 0;
  let most = Number.isFinite(budgetMs) ? FIRST_LOOK : MOST_LOOKED_AT;
  for (let from = after; ; ) {
    const part = await findPart(db, filter, { after: from, limit: limit - ids.length, sort, most });
    ids.push(...part.ids);
    looked += most;
    most = stillToLookAt(looked, performance.now() - since, budgetMs);
    const full = ids.length === limit;
    if (!part.stopped || full || most === 0) return { ids, next: part.next, stopped: part.stopped && !full };
    from = part.next;
  }
}

/** The result if this many are read on each way. */
async function findPart(db: Db, filter: RunFilter, { limit, sort, ...asked }: Part): Promise<FoundRuns> {
  const parameters = new Parameters();
  const text = findText(filter, parameters, { ...asked, limit, sort });
  // Unnamed: its shape follows the filter, and a plan made for the values at hand can use the partial indexes.
  const [row] = await db.query<FoundRow>({ name: "", text }, parameters.values);
  const { keys, horizon } = row as FoundRow;
  // Runs after the place where one way stopped come with the next page, on whichever way they were found.
  const isBefore = ([id]: RunKey) => horizon === null || (sort === "oldest" ? id <= horizon[0] : id >= horizon[0]);
  const seen = sort === "ended" ? keys : keys.filter(isBefore);
  const shown = seen.slice(0, limit);
  const full = seen.length > limit;
  return {
    ids: shown.map(([id]) => id),
    next: full ? (shown.at(-1) as RunKey) : horizon,
    stopped: !full && horizon !== null,
  };
}

interface Part extends Pick<Looking, "after" | "limit"> {
  sort: RunSort;
  most: number;
}

/** One more than a page is read, to know whether there is a next one. */
export function findText(filter: RunFilter, parameters: Parameters, { after, limit, sort, most }: Part): string {
  const { key, by, behind, from } = ORDERS[sort];
  const lanes = from(filter, parameters);
  const wanted = parameters.add(limit + 1, "int");
  const columns = key.replaceAll("run.", "");
  const order = by.replaceAll("run.", "");
  if (after) {
    const [id, endedAt] = [parameters.add(after[0], "uuid"), after[1]];
    const place = sort === "ended" ? `(${parameters.add(endedAt, "timestamptz")}, ${id})` : id;
    for (const lane of lanes) lane.walk.push(...bounded(lane, [`${behind} ${place}`]));
  }
  // A way with as many matches as are wanted has stopped for that: its bound is not checked.
  const horizons = lanes.flatMap(({ fits, walk, ...lane }, place) => {
    const few = `(select count(*) from lane_${place}) < ${wanted}`;
    return fits.length > 0 ? [horizonOf({ ...lane, fits, walk: [...walk, few] }, key, by, most)] : [];
  });
  const horizon = `(select ${asKey(sort)} from (
        ${horizons.join("\n        union all ")}
      ) as stopped order by ${order} limit 1)`;
  return `
    with ${lanes.map((lane, place) => `lane_${place} as materialized ${laneText(lane, { key, by, limit: wanted, most })}`).join(",\n    ")},
    found as materialized (
      select ${columns} from (
        ${lanes.map((_, place) => `select * from lane_${place}`).join(" union ")}
      ) as lane
      order by ${order} limit ${wanted}
    )
    select (select coalesce(json_agg(${asKey(sort)} order by ${order}), '[]') from found) as keys,
      ${horizons.length === 0 ? "null::json" : horizon} as horizon`;
}

const asKey = (sort: RunSort) => `json_build_array(id, ${sort === "ended" ? "finished_at::text" : "null"})`;

/** Runs of one way, in order: as many as are wanted and match among those that may be read. */
function laneText(
  { from, walk, but, fits }: Lane,
  { key, by, limit, most }: { key: string; by: string; limit: string; most: number },
): string {
  const where = whereOf([...walk, ...but]);
  if (fits.length === 0) return `(select ${key} from ${from} ${where} order by ${by} limit ${limit})`;
  return `(select ${key} from (select run.* from ${from} ${where} order by ${by} limit ${most}) as run
        where ${fits.join(" and ")} order by ${by} limit ${limit})`;
}

/** The last run that is surely read on this way; nothing where the way ends before. */
const horizonOf = ({ from, walk }: Lane, key: string, by: string, most: number): string =>
  `(select ${key} from ${from} ${whereOf(walk)} order by ${by} offset ${most - 1} limit 1)`;

const whereOf = (conditions: readonly string[]) => (conditions.length > 0 ? `where ${conditions.join(" and ")}` : "");

function lanesInTime(filter: RunFilter, parameters: Parameters): Lane[] {
  const began = beganWithin(filter, parameters, { byId: true });
  return lanesOf(filter, parameters).map((lane) => ({ ...lane, walk: [...lane.walk, ...bounded(lane, began)] }));
}

/** The same for numbers: the instant of a run's start, which no index has, is checked for as many as may be read. */
function lanesToCount(filter: RunFilter, parameters: Parameters): Lane[] {
  return lanesInTime(filter, parameters).map(({ walk, fits, ...lane }) => ({
    ...lane,
    walk: walk.filter((one) => !one.startsWith("run.created_at ")),
    fits: [...fits, ...walk.filter((one) => one.startsWith("run.created_at "))],
  }));
}

/** Runs that began in the filter's time: by their ids, too, where the way follows these. */
function beganWithin(
  { createdAfter, createdBefore }: RunFilter,
  parameters: Parameters,
  { byId }: { byId: boolean },
): string[] {
  const conditions: string[] = [];
  if (createdAfter !== undefined) {
    const from = idAt(Date.parse(createdAfter) - CLOCK_SLACK_MS, "0");
    if (byId) conditions.push(`run.id >= ${parameters.add(from, "uuid")}`);
    conditions.push(`run.created_at >= ${parameters.add(createdAfter, "timestamptz")}`);
  }
  if (createdBefore !== undefined) {
    const to = idAt(Date.parse(createdBefore) + CLOCK_SLACK_MS, "f");
    if (byId) conditions.push(`run.id <= ${parameters.add(to, "uuid")}`);
    conditions.push(`run.created_at < ${parameters.add(createdBefore, "timestamptz")}`);
  }
  return conditions;
}

interface Bounds {
  /** Placeholder of the number of wanted runs. */
  limit: string;
  /** Runs read on each way. */
  most: number;
  /** Conditions that every way's index bounds. */
  within?: readonly string[];
}

/** For numbers: the ids of the newest runs that match the filter, and whether more may follow those that were read. */
export function foundAndLeft(filter: RunFilter, parameters: Parameters, { limit, most, within = [] }: Bounds) {
  const lanes = lanesToCount(filter, parameters).map((lane) => ({ ...lane, walk: [...lane.walk, ...within] }));
  const [key, by] = ["run.id", "run.id desc"];
  const looking = lanes.filter(({ fits }) => fits.length > 0).map((lane) => horizonOf(lane, key, by, most));
  return {
    found: lanes.map((lane) => laneText(lane, { key, by, limit, most })).join(" union "),
    left: looking.length === 0 ? "false" : `exists (${looking.join(" union all ")})`,
  };
}

/** For numbers of every state at once: the newest runs on each way, and which of them match the filter. */
export const lookedAtText = (
  filter: RunFilter,
  parameters: Parameters,
  { most, within = [] }: Omit<Bounds, "limit">,
): string =>
  lanesToCount(filter, parameters)
    .map((lane, place) => {
      const { from, walk, but, fits } = lane;
      const where = whereOf([...walk, ...but, ...bounded(lane, within)]);
      return `(select ${place} as lane, run.id, run.status, ${attentionOf("run")} as attention, ${fits.length > 0 ? fits.join(" and ") : "true"} as fits
        from (select run.* from ${from} ${where} order by run.id desc limit ${most}) as run)`;
    })
    .join("\n      union all ");
