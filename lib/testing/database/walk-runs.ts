import type { RunSort } from "../../engine/runs/run";
import { readRuns } from "../../operator/runs/reads";
import type { Db } from "../../store/db";
import type { RunFilter } from "../../store/reads/run-filter";

export type AskedRuns = RunFilter & { sort?: RunSort; limit?: number; budgetMs?: number };

/** Every id of a list, page by page, and how far each page read when it says so. */
export async function walkRuns(db: Db, filter: AskedRuns) {
  const seen: string[] = [];
  const lookedBackTo: (string | null)[] = [];
  let cursor: string | undefined;
  do {
    const page = await readRuns(db, { ...filter, cursor });
    seen.push(...page.runs.map(({ id }) => id));
    lookedBackTo.push(page.lookedBackTo);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return { seen, lookedBackTo };
}
