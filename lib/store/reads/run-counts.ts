import { ATTENTIONS, type Attention, RUN_STATUSES, type RunStatus } from "../../engine/run";
import type { Db } from "../db";
import { idLanes, Parameters, type RunFilter } from "./run-filter";

export type RunCountRow =
  | { facet: "status"; value: RunStatus; count: number }
  | { facet: "attention"; value: Attention; count: number };

/**
 * How many runs of each status and of each attention meet the filter; each ignores its own dimension, for a count that
 * only counts what is chosen already says nothing. No count goes beyond `cap` + 1, where it stops reading.
 */
export function countRuns(db: Db, filter: RunFilter, cap: number) {
  const parameters = new Parameters();
  const count = (facet: string, value: string, narrowed: RunFilter) => {
    const lanes = idLanes(narrowed, parameters, { limit: cap + 1 });
    const found = `select from (${lanes.join(" union ")}) as candidate limit ${parameters.add(cap + 1, "int")}`;
    return `select '${facet}' as facet, '${value}' as value, count(*)::int as count from (${found}) as found`;
  };
  const text = [
    ...RUN_STATUSES.map((status) => count("status", status, { ...filter, status: [status] })),
    ...ATTENTIONS.map((attention) => count("attention", attention, { ...filter, attention: [attention] })),
  ].join("\nunion all ");
  return db.query<RunCountRow>({ name: "", text }, parameters.values);
}
