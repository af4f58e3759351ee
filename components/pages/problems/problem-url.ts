import { parseAsBoolean, parseAsString, parseAsStringLiteral } from "nuqs/server";
import type { ProblemFilter } from "@/lib/api/contract/problems";
import { PROBLEM_STATUSES } from "@/lib/engine/problems/problem";

/** What the address of the list holds: the filters, and what is in the inspector. */
export const problemUrl = {
  status: parseAsStringLiteral([...PROBLEM_STATUSES, "all"] as const).withDefault("open"),
  q: parseAsString.withDefault(""),
  workflow: parseAsString.withDefault(""),
  assignee: parseAsString.withDefault(""),
  watched: parseAsBoolean.withDefault(false),
  /** The one in the inspector. */
  problem: parseAsString,
};

export interface ProblemUrl {
  status: (typeof PROBLEM_STATUSES)[number] | "all";
  q: string;
  workflow: string;
  assignee: string;
  watched: boolean;
}

/** As the API takes it: what is empty is left out, so that equal filters are one query. */
export function toProblemFilter({ status, q, workflow, assignee, watched }: ProblemUrl): ProblemFilter {
  return {
    ...(status !== "all" && { status: [status] }),
    ...(q.trim() !== "" && { q: q.trim() }),
    ...(workflow.trim() !== "" && { workflow: [workflow.trim()] }),
    ...(assignee.trim() !== "" && { assignee: assignee.trim() }),
    ...(watched && { watched: "true" as const }),
  };
}
