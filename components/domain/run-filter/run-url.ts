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
import { durationOf } from "./fields";
import { readLeftOut, readTerm, type Term } from "./language";

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

export interface RunUrlFilter extends Required<Pick<RunFilter, "q" | "status" | "attention" | "workflow">> {
  step?: string[];
  error?: string[];
  version?: string[];
  tag?: string[];
  since?: string | null;
  until?: string | null;
  took?: string[];
  not?: string[];
  problem?: string | null;
}

/** As the API takes it: what is empty is left out, so that equal filters are one query. What an address has wrong is left out, too. */
export function toRunFilter(url: RunUrlFilter): RunFilter {
  const { q, status, attention, workflow, step = [], error = [], version = [], problem } = url;
  const out = termsLeftOut(url.not ?? []);
  const left = (field: Term["field"]) => out.filter((term) => term.field === field).map(({ value }) => value);
  const tags = tagsOf(url.tag ?? []);
  const createdAfter = timeIn("since", url.since);
  const createdBefore = timeIn("until", url.until);
  return given({
    q: q.trim(),
    status: without(status, left("status")),
    attention,
    workflow,
    step,
    error,
    version: version.map(Number).filter(Number.isSafeInteger),
    tags: Object.keys(tags).length > 0 ? tags : undefined,
    createdAfter,
    createdBefore,
    ...tookOf(url.took ?? []),
    notWorkflow: left("workflow"),
    notStep: left("step"),
    notError: left("error"),
    notVersion: left("version").map(Number),
    problem: problem ?? undefined,
  });
}

/** Without what is empty. */
const given = (filter: RunFilter): RunFilter =>
  Object.fromEntries(
    Object.entries(filter).filter(
      ([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0),
    ),
  );

/** There are so few that leaving some out is asking for the others. */
function without(status: readonly RunStatus[], left: readonly string[]): RunStatus[] {
  if (left.length === 0) return [...status];
  return (status.length > 0 ? status : RUN_STATUSES).filter((one) => !left.includes(one));
}

const isTerm = (read: ReturnType<typeof readTerm>): read is Term => read !== null && "field" in read;

const termsLeftOut = (not: readonly string[]): Term[] => not.map(readLeftOut).filter(isTerm);

function tagsOf(written: readonly string[]): Record<string, string[]> {
  const tags = new Map<string, string[]>();
  for (const one of written) {
    const [, name, value] = /^([^:]+):(.+)$/s.exec(one) ?? [];
    if (name !== undefined && value !== undefined) tags.set(name, [...(tags.get(name) ?? []), value]);
  }
  return Object.fromEntries(tags);
}

function timeIn(field: "since" | "until", written: string | null | undefined): string | undefined {
  const term = written ? readTerm(`${field}:${written}`) : null;
  return isTerm(term) ? term.value : undefined;
}

function tookOf(written: readonly string[]): Pick<RunFilter, "tookOverMs" | "tookUnderMs"> {
  const bounds = (sign: string) =>
    written
      .filter((one) => one.startsWith(sign))
      .map((one) => durationOf(one.slice(1)) ?? Number.NaN)
      .filter(Number.isFinite);
  const [over, under] = [bounds(">"), bounds("<")];
  return {
    ...(over.length > 0 && { tookOverMs: Math.max(...over) }),
    ...(under.length > 0 && { tookUnderMs: Math.min(...under) }),
  };
}

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
