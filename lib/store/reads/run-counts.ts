import { ATTENTIONS, type Attention, RUN_STATUSES, type RunStatus } from "../../engine/runs/run";
import type { Db } from "../db";
import { foundAndLeft, lookedAtText } from "./find-runs";
import { narrowed } from "./narrowed";
import { FIRST_LOOK, LOOKING_MS, MOST_LOOKED_AT, stillToLookAt } from "./pace";
import { HOLDING_ATTENTIONS, heldBy } from "./run-conditions";
import { asksOnlyFor, Constants, Parameters, type RunFilter } from "./run-filter";

export type RunCountRow =
  | { facet: "status"; value: RunStatus; count: number; partial: boolean }
  | { facet: "attention"; value: Attention; count: number; partial: boolean };

/** Runs read for one number, if each has a separate way: there are thirteen. */
const MOST_FOR_ONE = 1_000;
/** For what no index knows, completed runs: among the newest of all, which are stored close together. */
const MOST_OF_ALL = 5_000;

/**
 * How many runs of each status and of each attention meet the filter; each ignores its own dimension, since a count of
 * what is already chosen is of no use. No count goes beyond `cap` + 1, where it stops reading; one that is `partial`
 * stopped before, having read too many runs.
 */
export const countRuns = (db: Db, filter: RunFilter, cap: number): Promise<RunCountRow[]> =>
  spansEveryState(filter) ? countOnOneWalk(db, filter) : countEach(db, filter, cap);

/** No index leads to these by their status, or each run that is read costs more: each number would walk the same runs. */
export const spansEveryState = ({ parentRunId, q, problem, tags = {}, step = [], where = [] }: RunFilter) =>
  parentRunId !== undefined ||
  Boolean(q) ||
  problem !== undefined ||
  Object.keys(tags).length > 0 ||
  step.length > 0 ||
  where.length > 0;

function countEach(db: Db, filter: RunFilter, cap: number): Promise<RunCountRow[]> {
  // Without a filter the text is always the same, and planning so many ways takes as long as walking them.
  const isWhole = asksOnlyFor(filter, []);
  const parameters = isWhole ? new Constants() : new Parameters();
  const limit = parameters.add(cap + 1, "int");
  const count = (facet: string, value: string, narrowed: RunFilter) => {
    const most = value === "completed" && !filter.workflow?.length ? MOST_OF_ALL : MOST_FOR_ONE;
    const { found, left } = foundAndLeft(narrowed, parameters, { limit, most });
    return `select '${facet}' as facet, '${value}' as value, count(*)::int as count, ${left} as partial
    from (select from (${found}) as candidate limit ${limit}) as found`;
  };
  const text = [
    ...RUN_STATUSES.map((status) => count("status", status, { ...filter, status: [status] })),
    ...ATTENTIONS.map((attention) => count("attention", attention, { ...filter, attention: [attention] })),
  ].join("\nunion all ");
  return db.query<RunCountRow>({ name: isWhole ? `count-all-runs-${cap}` : "", text }, parameters.values);
}

interface StateRow {
  status: RunStatus;
  attention: Attention | null;
  count: number;
}

/** If one way leads to the runs of every number: among its first ones, or among as many as the time allows. */
async function countOnOneWalk(db: Db, { status, attention, ...given }: RunFilter): Promise<RunCountRow[]> {
  const filter = await narrowed(db, given);
  const { problem } = filter;
  if (problem !== undefined && asksOnlyFor(filter, ["problem"])) {
    const heldText = (parameters: Parameters) => heldStatesText(problem, parameters, MOST_LOOKED_AT);
    return rowsOf(await selectStates(db, heldText, MOST_LOOKED_AT), { status, attention });
  }
  const since = performance.now();
  // From the newest one each time: runs read before cost little.
  for (let most = FIRST_LOOK; ; ) {
    const looked = most;
    const states = await selectStates(db, (parameters) => lookedAtText(filter, parameters, { most: looked }), looked);
    const more = states.partial ? stillToLookAt(looked, performance.now() - since, LOOKING_MS) : 0;
    if (more === 0) return rowsOf(states, { status, attention });
    most += more;
  }
}

interface States {
  found: StateRow[];
  /** Others may follow those that were read. */
  partial: boolean;
}

async function selectStates(db: Db, textOf: (parameters: Parameters) => string, most: number): Promise<States> {
  const parameters = new Parameters();
  const text = `
    with looked_at as materialized (${textOf(parameters)}), found as (
      select status, attention, count(distinct id)::int as count from looked_at where fits group by status, attention
    )
    select (select coalesce(json_agg(found), '[]') from found) as found,
      exists (select from looked_at group by lane having count(*) = ${most}) as partial`;
  const [row] = await db.query<States>({ name: "", text }, parameters.values);
  return row as States;
}

function rowsOf({ found, partial }: States, { status = [], attention = [] }: RunFilter): RunCountRow[] {
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

/** Those that an index holds by their status (`run_in_status`). */
const INDEXED = [
  "failed",
  "waiting",
  "compensating",
  "cancelled",
  "compensated",
  "paused",
] as const satisfies RunStatus[];

/**
 * The newest runs that a problem holds, in the shape of `lookedAtText`: their states are read from two small indexes.
 * The runs themselves are far apart, each on a separate page that is rarely in memory.
 */
export function heldStatesText(problem: string, parameters: Parameters, most: number): string {
  const first = (column: string, values: readonly (RunStatus | Attention)[], ...otherwise: string[]) =>
    `coalesce(${[
      ...values.map(
        (value) => `(select ${column} from handrail.run where id = held.run_id and run.${column} = '${value}')`,
      ),
      ...otherwise,
    ].join(",\n          ")})`;
  const whatever = "(select status from handrail.run where id = held.run_id)";
  return `select 0 as lane, held.run_id as id, case when attention is not null then ${first("status", INDEXED, whatever)} end as status,
        attention, attention is not null as fits
      from (select run_id, ${first("attention", HOLDING_ATTENTIONS)} as attention
        from (select run_id from handrail.problem_run as held where ${heldBy(problem, parameters).join(" and ")} order by run_id desc limit ${most}) as held
        offset 0) as held`;
}
