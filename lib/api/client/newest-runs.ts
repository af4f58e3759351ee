import type { CellRuns } from "../../engine/fleet/merge-newest";
import type { Reach } from "../../engine/fleet/reach";
import { idAt } from "../../engine/runs/run-ids";
import type { RunFilter } from "../contract/requests";
import type { RunListItem } from "../contract/run";
import type { Client } from "./client";

export type NewestRuns = CellRuns<RunListItem>;

/** Reads the newest runs of a cell that fit, page by page, as far down as the list of all cells needs. */
export async function newestRuns(
  { read }: Pick<Client, "read">,
  cell: string,
  filter: RunFilter,
  reach: Reach,
  signal?: AbortSignal,
): Promise<NewestRuns> {
  const runs: RunListItem[] = [];
  let cursor: string | undefined;
  let searches = 0;
  reach.begin(cell);
  for (;;) {
    const page = await read("/v1/runs", { ...filter, limit: reach.nextPage(cell), cursor }, signal && { signal }).catch(
      (error) => {
        reach.note(cell, []);
        throw error;
      },
    );
    runs.push(...page.runs);
    reach.note(
      cell,
      runs.map(({ id }) => id),
    );
    if (page.nextCursor === null) return { runs, to: null };
    if (page.lookedBackTo !== null && ++searches >= reach.searches)
      return { runs, to: idAt(Date.parse(page.lookedBackTo), "0") };
    const last = runs.at(-1)?.id ?? null;
    if (runs.length >= reach.wanted || (last !== null && reach.isFullDownTo(last))) return { runs, to: last };
    cursor = page.nextCursor;
  }
}
