import { ATTENTIONS, type Attention, RUN_STATUSES, type RunStatus } from "../../engine/run";
import type { Db } from "../db";
import { foundAndLeft, lookedAtText } from "./find-runs";
import { Parameters, type RunFilter } from "./run-filter";

export type RunCountRow =
  | { facet: "status"; value: RunStatus; count: number; partial: boolean }
  | { facet: "attention"; value: Attention; count: number; partial: boolean };

/** Runs looked at for one number, where each has a way of its own: there are thirteen. */
const MOST_LOOKED_AT = 1_000;
/** For what no index knows, completed runs: among the newest of all, which lie beside each other. */
const MOST_OF_ALL = 5_000;
/** Where one way leads to the runs of every number. */
const MOST_LOOKED_AT_ONCE = 2_000;

/**
 * How many runs of each status and of each attention meet the filter; each ignores its own dimension, for a count that
 * only counts what is chosen already says nothing. No count goes beyond `cap` + 1, where it stops reading; one that is `partial`
 * stopped before, having looked at too many runs.
 */
export const countRuns = (db: Db, filter: RunFilter, cap: number): Promise<RunCountRow[]> =>
  isFoundWhateverItsState(filter) ? countOnOneWalk(db, filter) : countEach(db, filter, cap);

/** No index leads to these by their status: each number would walk the same runs. */
export const isFoundWhateverItsState = ({ parentRunId, q, problem, tags = {}, step = [] }: RunFilter) =>
  parentRunId !== undefined || Boolean(q) || problem !== undefined || Object.keys(tags).length > 0 || step.length > 0;

function countEach(db: Db, filter: RunFilter, cap: number): Promise<RunCountRow[]> {
  const parameters = new Parameters();
  const limit = parameters.add(cap + 1, "int");
  const count = (facet: string, value: string, narrowed: RunFilter) => {
    const most = value === "completed" && !filter.workflow?.length ? MOST_OF_ALL : MOST_LOOKED_AT;
    const { found, left } = foundAndLeft(narrowed, parameters, { limit, most });
    return `select '${facet}' as facet, '${value}' as value, count(*)::int as count, ${left} as partial
    from (select from (${found}) as candidate limit ${limit}) as found`;
  };
  const text = [
    ...RUN_STATUSES.map((status) => count("status", status, { ...filter, status: [status] })),
    ...ATTENTIONS.map((attention) => count("attention", attention, { ...filter, attention: [attention] })),
  ].join("\nunion all ");
  return db.query<RunCountRow>({ name: "", text }, parameters.values);
}

interface StateRow {
  status: RunStatus;
  attention: Attention | null;
  count: number;
}

async function countOnOneWalk(db: Db, { status = [], attention = [], ...filter }: RunFilter): Promise<RunCountRow[]> {
  const parameters = new Parameters();
  const text = `
    with looked_at as materialized (${lookedAtText(filter, parameters, { most: MOST_LOOKED_AT_ONCE })}), found as (
      select status, attention, count(distinct id)::int as count from looked_at where fits group by status, attention
    )
    select (select coalesce(json_agg(found), '[]') from found) as found,
      exists (select from looked_at group by lane having count(*) = ${MOST_LOOKED_AT_ONCE}) as partial`;
  const [row] = await db.query<{ found: StateRow[]; partial: boolean }>({ name: "", text }, parameters.values);
  const { found, partial } = row as { found: StateRow[]; partial: boolean };
  const total = (fits: (row: StateRow) => boolean) => found.filter(fits).reduce((sum, { count }) => sum + count, 0);
  const asked = <Value>(values: readonly Value[], value: Value | null) =>
    values.length === 0 || (value !== null && values.includes(value));
  return [
    ...RUN_STATUSES.map((value) => {
      const count = total((row) => row.status === value && asked(attention, row.attention));
      return { facet: "status" as const, value, count, partial };
    }),
    ...ATTENTIONS.map((value) => {
      const count = total((row) => row.attention === value && asked(status, row.status));
      return { facet: "attention" as const, value, count, partial };
    }),
  ];
}
