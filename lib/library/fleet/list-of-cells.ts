import { isHandrailError } from "../../engine/errors";
import { fleetIdOf } from "../../engine/fleet/fleet-id";
import { type CellRuns, mergeNewest } from "../../engine/fleet/merge-newest";
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
  /** Null: there are no more. Never while a cell is missing: it is asked again from where it was. */
  nextCursor: string | null;
  /** The cells that did not answer, and what they said: their runs are not in this page. */
  missing: { cell: Cell; error: string }[];
}

/** A cell that works answers within milliseconds. */
const ANSWER_MS = 2_000;
const DEFAULT_LIMIT = 50;

/** Where the next page begins in each cell: after this run, or nowhere (null); a cell that is not named, at its newest. */
type Places = Record<string, string | null>;

/** The run after which a cell's next page begins. */
const idOf = (cursor: string): string => decodeCursor<[string, string]>(cursor, (key) => typeof key[1] === "string")[1];

const FLEET = "fleet";

function placesIn(cursor: string | undefined): Places {
  if (cursor === undefined) return {};
  const [, ...pairs] = decodeCursor<(string | null)[]>(cursor, ([of]) => of === FLEET);
  return Object.fromEntries(
    pairs.flatMap((cell, index) => (index % 2 === 0 ? [[cell, pairs[index + 1] ?? null]] : [])),
  );
}

const cursorAt = (places: Record<string, string | null | undefined>): string =>
  encodeCursor([FLEET, ...Object.entries(places).flatMap(([cell, to]) => (to === undefined ? [] : [cell, to]))]);

/** The later in the order of the list: ids contain their time. */
const further = (before: string | null | undefined, to: string | null) =>
  to !== null && typeof before === "string" && before < to ? before : to;

/** @throws HandrailError of a question that no cell can answer, such as by a wrong cursor */
export async function listOfCells<Cell extends string, Tx>(
  cells: Readonly<Record<Cell, Handrail<Tx>>>,
  { limit = DEFAULT_LIMIT, cursor, ...filter }: FleetFilter,
): Promise<FleetRuns<Cell>> {
  const places = placesIn(cursor);
  const names = (Object.keys(cells) as Cell[]).filter((cell) => places[cell] !== null);
  const answers = names.map(async (cell) => {
    const after = places[cell] == null ? {} : { cursor: encodeCursor(["newest", places[cell], null]) };
    const answer = cells[cell].list({ ...filter, limit, ...after }).catch((error: Error) => error);
    return { cell, answer: await within(answer, ANSWER_MS, new Error(`No answer within ${ANSWER_MS} ms.`)) };
  });
  const looked: CellRuns<RunOfCell & { cell: Cell }>[] = [];
  const missing: FleetRuns<Cell>["missing"] = [];
  for (const { cell, answer } of await Promise.all(answers)) {
    if (isHandrailError(answer) && answer.code !== "unavailable") throw answer;
    if (answer instanceof Error) missing.push({ cell, error: answer.message });
    else {
      const runs = answer.runs.map((run) => ({ ...run, cell }));
      looked.push({ runs, to: answer.nextCursor && idOf(answer.nextCursor) });
    }
  }
  const { runs, to } = mergeNewest(looked, limit);
  const gone = new Set(missing.map(({ cell }) => cell));
  const placeOf = (cell: Cell) => (gone.has(cell) ? places[cell] : further(places[cell], to));
  const next = { ...places, ...Object.fromEntries(names.map((cell) => [cell, placeOf(cell)])) };
  const isOver = missing.length === 0 && Object.values(next).every((place) => place === null);
  return {
    runs: runs.map((run) => ({ ...run, id: fleetIdOf(run.cell, run.id) })),
    nextCursor: isOver ? null : cursorAt(next),
    missing,
  };
}
