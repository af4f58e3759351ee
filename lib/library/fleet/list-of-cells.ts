import { fleetIdOf } from "../../engine/fleet/fleet-id";
import { type Looked, mergeNewest } from "../../engine/fleet/merge-newest";
import { decodeCursor, encodeCursor } from "../../operator/cursor";
import { within } from "../../store/database/within";
import type { RunFilter } from "../../store/reads/run-filter";
import type { Handrail } from "../create-handrail";

export interface FleetFilter extends RunFilter {
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
  /** 1 to 200. Default 50. */
  limit?: number | undefined;
}

type RunOfCell = Awaited<ReturnType<Handrail<unknown>["list"]>>["runs"][number];

export interface FleetRuns<Cell extends string> {
  /** Newest first. `id` names the cell; ids within a run, such as its parent's, are of the same cell and do not. */
  runs: (RunOfCell & { cell: Cell })[];
  /** Null: there are no more. */
  nextCursor: string | null;
  /** The cells that did not answer, and what they said: their runs are not in this page. */
  missing: { cell: Cell; error: string }[];
}

/** A cell that works answers within milliseconds. */
const ANSWER_MS = 2_000;
const DEFAULT_LIMIT = 50;

/** The run after which the next page begins. */
const idOf = (cursor: string): string => decodeCursor<[string, string]>(cursor, (key) => typeof key[1] === "string")[1];

export async function listOfCells<Cell extends string, Tx>(
  cells: Readonly<Record<Cell, Handrail<Tx>>>,
  { limit = DEFAULT_LIMIT, ...filter }: FleetFilter,
): Promise<FleetRuns<Cell>> {
  const asked = (Object.entries(cells) as [Cell, Handrail<Tx>][]).map(async ([cell, handrail]) => {
    const answer = handrail.list({ ...filter, limit }).catch((error: Error) => error);
    return { cell, answer: await within(answer, ANSWER_MS, new Error(`No answer within ${ANSWER_MS} ms.`)) };
  });
  const looked: Looked<RunOfCell & { cell: Cell }>[] = [];
  const missing: FleetRuns<Cell>["missing"] = [];
  for (const { cell, answer } of await Promise.all(asked)) {
    if (answer instanceof Error) missing.push({ cell, error: answer.message });
    else
      looked.push({
        runs: answer.runs.map((run) => ({ ...run, cell })),
        to: answer.nextCursor && idOf(answer.nextCursor),
      });
  }
  const { runs, to } = mergeNewest(looked, limit);
  const named = runs.map((run) => ({ ...run, id: fleetIdOf(run.cell, run.id) }));
  return { runs: named, nextCursor: to && encodeCursor(["newest", to, null]), missing };
}
