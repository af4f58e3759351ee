import { ATTENTIONS, type Attention, RUN_STATUSES, type RunStatus } from "../../engine/run";
import type { Db } from "../db";
import { foundAndLeft } from "./find-runs";
import { Parameters, type RunFilter } from "./run-filter";

export type RunCountRow =
  | { facet: "status"; value: RunStatus; count: number; partial: boolean }
  | { facet: "attention"; value: Attention; count: number; partial: boolean };

/** Runs looked at on one way, for one number: there are fifteen. */
const MOST_LOOKED_AT = 4_000;

/**
 * How many runs of each status and of each attention meet the filter; each ignores its own dimension, for a count that
 * only counts what is chosen already says nothing. No count goes beyond `cap` + 1, where it stops reading; one that is `partial`
 * stopped before, having looked at too many runs that do not meet the filter.
 */
export function countRuns(db: Db, filter: RunFilter, cap: number) {
  const parameters = new Parameters();
  const bounds = { limit: parameters.add(cap + 1, "int"), most: MOST_LOOKED_AT };
  const count = (facet: string, value: string, narrowed: RunFilter) => {
    const { found, left } = foundAndLeft(narrowed, parameters, bounds);
    return `select '${facet}' as facet, '${value}' as value, count(*)::int as count, ${left} as partial
    from (select from (${found}) as candidate limit ${bounds.limit}) as found`;
  };
  const text = [
    ...RUN_STATUSES.map((status) => count("status", status, { ...filter, status: [status] })),
    ...ATTENTIONS.map((attention) => count("attention", attention, { ...filter, attention: [attention] })),
  ].join("\nunion all ");
  return db.query<RunCountRow>({ name: "", text }, parameters.values);
}
