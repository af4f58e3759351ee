import type { Client } from "../../../lib/api/client/client";
import { type NewestRuns, newestRuns } from "../../../lib/api/client/newest-runs";
import { mergeNewest } from "../../../lib/engine/fleet/merge-newest";
import { Reach } from "../../../lib/engine/fleet/reach";
import { typedFilter } from "../../../lib/filters/typed";
import { CELLS, type CellName } from "./cells";
import type { Facts } from "./facts";
import { WORKFLOWS } from "./sample";

export type CellClient = Pick<Client, "read" | "post">;

type Ask = (cell: CellClient, name: CellName) => Promise<unknown>;

/** A read of the fleet's page. */
export interface FleetRead {
  name: string;
  /** What it asks of each cell; `at` is a different number each time. */
  begin: (facts: Facts, at: number) => Ask;
  /** What it makes of the answers. */
  merge?: (answers: never[]) => unknown;
}

const pick = <Value>(values: readonly Value[], at: number): Value => values[at % values.length] as Value;

/** As the page reads what was typed into its filter. */
function runs(name: string, typed: (facts: Facts, at: number) => string, wanted = 50): FleetRead {
  return {
    name,
    begin: (facts, at) => {
      const { filter } = typedFilter(typed(facts, at), "UTC");
      const reach = new Reach({ runs: wanted, searches: 1 }, CELLS.length);
      return (cell, name) => newestRuns(cell, name, filter, reach);
    },
    merge: (answers: NewestRuns[]) => mergeNewest(answers, wanted),
  };
}

export const OVERVIEWS: FleetRead = { name: "overviews", begin: () => (cell) => cell.read("/v1/overview", {}) };
export const FIRST_RUNS = runs("runs without a filter", () => "");

export const FLEET_READS: readonly FleetRead[] = [
  OVERVIEWS,
  FIRST_RUNS,
  runs("runs, status:failed", () => "status:failed"),
  runs("runs of a workflow", (_, at) => `workflow:${pick(WORKFLOWS, at).name}`),
  runs("runs by a key", (facts, at) => pick(facts.runs, at).key),
  runs("runs by a tag's value", (facts, at) => pick(facts.runs, at).customer),
  runs("runs by a run's id", (facts, at) => pick(facts.runs, at).id),
  runs("200 runs", () => "", 200),
  runs("800 runs", () => "", 800),
  {
    name: "plan to rerun the failed of a workflow",
    begin: () => {
      const { filter } = typedFilter("status:failed workflow:fraud-check", "UTC");
      const request = { act: "rerun", params: {}, selection: { filter } } as const;
      return (cell) => cell.post("/v1/plans", {}, { request });
    },
  },
];
