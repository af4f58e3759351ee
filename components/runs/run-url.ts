import { parseAsArrayOf, parseAsString, parseAsStringLiteral } from "nuqs/server";
import type { RunsAsked } from "@/lib/api/client";
import type { RunFilter } from "@/lib/api/contract/requests";
import { ATTENTIONS, RUN_STATUSES } from "@/lib/engine/run";

/** What the address of the runs page holds: the filters, and the run in the inspector. */
export const runUrl = {
  q: parseAsString.withDefault(""),
  status: parseAsArrayOf(parseAsStringLiteral(RUN_STATUSES)).withDefault([]),
  attention: parseAsArrayOf(parseAsStringLiteral(ATTENTIONS)).withDefault([]),
  workflow: parseAsArrayOf(parseAsString).withDefault([]),
  /** Only the runs that this problem holds. */
  problem: parseAsString,
  run: parseAsString,
  /** The columns of the table, as `column-url.ts` has them; null: the usual ones. */
  cols: parseAsArrayOf(parseAsString),
  /** The view that was chosen, from which the rest may differ by now. */
  view: parseAsString,
};

export type RunUrlFilter = Required<Pick<RunFilter, "q" | "status" | "attention" | "workflow">> & {
  problem?: string | null;
};

/** As the API takes it: what is empty is left out, so that equal filters are one query. */
export function toRunFilter({ q, status, attention, workflow, problem }: RunUrlFilter): Omit<RunFilter, "step"> {
  return {
    ...(q.trim() !== "" && { q: q.trim() }),
    ...(status.length > 0 && { status }),
    ...(attention.length > 0 && { attention }),
    ...(workflow.length > 0 && { workflow }),
    ...(problem && { problem }),
  };
}

/** The question that the list asks; without paths, the same as ever. */
export const runsAsked = (filter: RunFilter, paths: string[]): RunsAsked =>
  paths.length > 0 ? { ...filter, paths } : filter;

export const isFiltered = (filter: RunFilter) => Object.keys(filter).length > 0;
