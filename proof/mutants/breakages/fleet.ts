import type { Mutant } from "../mutant";

const FLEET = "lib/library/fleet/fleet.db.test.ts";
const MERGE = "lib/engine/fleet/merge-newest.test.ts";
const PLACEMENT = "lib/engine/fleet/placement.test.ts";

/** A fleet of cells: one run for a key, whichever list of cells a process has. */
export const fleet: Mutant[] = [
  {
    name: "keys-not-settled",
    promise: "P1",
    breaks: "A start goes where the hash says, and no other cell is asked whether it has the key.",
    file: "lib/library/fleet/fleet.ts",
    find: "if (first === undefined || key === undefined) return cell;",
    replace: "if (cell !== undefined) return cell;",
    killedBy: [FLEET],
  },
  {
    name: "cells-between-not-asked",
    promise: "P1",
    breaks:
      "Of the cells that may have a key, only the first one is asked: a run in a cell that was added later is not found.",
    file: "lib/library/fleet/fleet.ts",
    find: "if (await hasKey(await this.databaseOf(one), { workflow, key })) wanted = one;",
    replace: "await this.databaseOf(one);",
    killedBy: [FLEET],
  },
  {
    name: "nobody-had-it-before",
    promise: "P1",
    breaks: "A placement forgets the cells that had a key before a cell was added.",
    file: "lib/engine/fleet/placement.ts",
    find: "if (winners.length === 1) return",
    replace: "if (winners.length > 0) return",
    killedBy: [PLACEMENT, FLEET],
  },
  {
    name: "known-cells-leave-no-word",
    promise: "P1",
    breaks: "While a cell is known and not open, starts do not leave word where their key is.",
    file: "lib/engine/fleet/placement.ts",
    find: "if (winners.length === 1) return",
    replace: "if (cell === winners[0]) return",
    killedBy: [PLACEMENT, FLEET],
  },
  {
    name: "second-winner-forgotten",
    promise: "P1",
    breaks: "Of two cells that were added, the first one is not asked for the keys that the second one takes.",
    file: "lib/engine/fleet/placement.ts",
    find: "before: [first, ...later.slice(0, Math.max(0, winners.indexOf(cell) - 1))]",
    replace: "before: [first, ...later.slice(0, 0)]",
    killedBy: [PLACEMENT, FLEET],
  },
  {
    name: "placed-despite-its-run",
    promise: "P1",
    breaks: "A key goes to the added cell although its run is in the cell that had it before.",
    file: "lib/store/runs/place-key.ts",
    find: "then $4 else $5 end",
    replace: "then $5 else coalesce($5, $4) end",
    killedBy: [FLEET],
  },
  {
    name: "each-wish-granted",
    promise: "P1",
    breaks: "Of two processes that place one key, each gets the cell that it wished.",
    file: "lib/store/runs/place-key.ts",
    find: "select cell from kept union all select cell from placed",
    replace: "select $5::text as cell from kept union all select cell from placed",
    killedBy: [FLEET],
  },
  {
    name: "page-below-a-cell",
    promise: "P1",
    breaks: "A page of all cells goes further down than one of them has looked: runs of that one are in no page.",
    file: "lib/engine/fleet/merge-newest.ts",
    find: "floor === null || id >= floor",
    replace: "floor === null || id.length > 0",
    killedBy: [MERGE],
  },
];
