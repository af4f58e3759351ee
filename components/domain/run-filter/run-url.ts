import { parseAsArrayOf, parseAsString, parseAsStringLiteral } from "nuqs/server";
import type { RunFilter } from "@/lib/api/contract/requests";
import type { RunsAsked } from "@/lib/api/hooks/queries";
import {
  ATTENTIONS,
  RUN_SORTS,
  RUN_STATUSES,
  type RunSort,
  type RunStatus,
  SORTED_BY_END,
} from "@/lib/engine/runs/run";

const texts = parseAsArrayOf(parseAsString).withDefault([]);

/** What the address of the runs page holds: the filters, the order, and the run in the inspector. */
export const runUrl = {
  q: parseAsString.withDefault(""),
  status: parseAsArrayOf(parseAsStringLiteral(RUN_STATUSES)).withDefault([]),
  attention: parseAsArrayOf(parseAsStringLiteral(ATTENTIONS)).withDefault([]),
  workflow: texts,
  step: texts,
  error: texts,
  version: texts,
  /** As `NAME:value`. */
  tag: texts,
  /** So long ago ("24h"), or an instant. */
  since: parseAsString,
  until: parseAsString,
  /** As `>5m` and `<1h`. */
  took: texts,
  /** What the run did, as `did:step`, `-did:step`, `input.path:>1`. */
  where: texts,
  /** What is left out, as `field:value`. */
  not: texts,
  /** Only the runs that this problem holds. */
  problem: parseAsString,
  sort: parseAsStringLiteral(RUN_SORTS).withDefault("newest"),
  run: parseAsString,
  /** The columns of the table, as `column-url.ts` has them; null: the usual ones. */
  cols: parseAsArrayOf(parseAsString),
  /** The view that was chosen, from which the rest may differ by now. */
  view: parseAsString,
};

/** The list's query; without paths, and newest first, the same as always. */
export const runsAsked = (filter: RunFilter, paths: string[], sort: RunSort = "newest"): RunsAsked => ({
  ...filter,
  ...(paths.length > 0 && { paths }),
  ...(sort !== "newest" && { sort }),
});

export const isFiltered = (filter: RunFilter) => Object.keys(filter).length > 0;

/** Whether the filter finds only such as are kept in the order of their ends. */
export const canSortByEnd = ({ status = [] }: RunFilter): boolean =>
  status.length > 0 && status.every((one) => (SORTED_BY_END as readonly RunStatus[]).includes(one));

/** The order of the list: what the address asks for, where the filter allows it. */
export const sortedBy = (sort: RunSort, filter: RunFilter): RunSort =>
  sort === "ended" && !canSortByEnd(filter) ? "newest" : sort;
