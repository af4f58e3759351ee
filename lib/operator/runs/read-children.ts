import { unknownRun } from "../../engine/errors";
import type { Db } from "../../store/db";
import { countDescendants } from "../../store/reads/descendants";
import { selectRunStatus } from "../../store/reads/run-detail";
import type { RunFilter } from "../../store/reads/run-filter";
import { tallyOf } from "./family-view";
import { type Page, readRuns } from "./reads";

/**
 * Counting the descendants of one listed run stops here, so that the cost of a page does not depend on the size of its
 * trees.
 */
const MOST_BELOW_A_CHILD = 500;
/** The descendants of the run itself are counted further. */
const MOST_BELOW = 10_000;

/**
 * The children of a run, each with its own children; and, on the first page, all descendants of the run.
 * @throws HandrailError `unknown_run`
 */
export async function readChildren(
  db: Db,
  parentRunId: string,
  page: Pick<RunFilter, "status" | "workflow" | "blind"> & Page,
) {
  if (!(await selectRunStatus(db, parentRunId))) throw unknownRun(parentRunId);
  const { runs, ...rest } = await readRuns(db, { ...page, parentRunId });
  const below = await descendantsOf(
    db,
    runs.map(({ id }) => id),
    MOST_BELOW_A_CHILD,
  );
  const own = page.cursor === undefined ? await descendantsOf(db, [parentRunId], MOST_BELOW) : undefined;
  return {
    runs: runs.map((run) => ({ ...run, descendants: below.get(run.id) ?? NO_RUNS })),
    descendants: own?.get(parentRunId) ?? null,
    ...rest,
  };
}

const NO_RUNS = tallyOf({}, 0);

async function descendantsOf(db: Db, runIds: readonly string[], cap: number) {
  const rows = runIds.length > 0 ? await countDescendants(db, runIds, cap) : [];
  return new Map(rows.map(({ id, by_status, capped }) => [id, tallyOf(by_status, cap, capped)]));
}
