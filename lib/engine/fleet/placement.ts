import { sha256 } from "../digest";

/**
 * Of a cell that is added to a running fleet. `known`: it is read, and starts go where they went, but leave word where their key is.
 * `open`: it takes its share of the starts.
 */
export type Joining = "known" | "open";

/** Where a start goes, and who knows where its idempotency key is. */
export interface Placement<Cell extends string> {
  /** Where it goes unless its key is elsewhere. */
  cell: Cell;
  /** Where its key may be instead, the earliest first: the first one decides. Empty: nowhere. */
  before: readonly Cell[];
}

/**
 * The cell for a text by rendezvous hashing: of any two lists that differ by one cell, only that cell's texts differ.
 * @param cells one at least
 */
export function cellFor<Cell extends string>(text: string, cells: readonly Cell[]): Cell {
  const scored = cells.map((cell) => [sha256(`${cell}\n${text}`), cell] as const);
  return scored.reduce((best, one) => (one[0] > best[0] ? one : best))[1];
}

/**
 * The placement of a text among cells to which others are or were added.
 * @param founders the cells that the fleet began with, one at least
 * @param added the others, in the order in which they came
 */
export function placementFor<Cell extends string>(
  text: string,
  founders: readonly Cell[],
  added: readonly (readonly [Cell, Joining])[],
): Placement<Cell> {
  const lists = [0, ...added.map((_, index) => index + 1)].map((count) => [
    ...founders,
    ...added.slice(0, count).map(([cell]) => cell),
  ]);
  const winners = [...new Set(lists.map((list) => cellFor(text, list)))];
  const open = added.filter(([, joining]) => joining === "open").map(([cell]) => cell);
  const cell = cellFor(text, [...founders, ...open]);
  if (winners.length === 1) return { cell, before: [] };
  // A text only ever goes on to a cell that was added: none of its winners comes back.
  const [first = cell, ...later] = winners;
  return { cell, before: [first, ...later.slice(0, Math.max(0, winners.indexOf(cell) - 1))] };
}
