import type { RunListItem } from "@/lib/api/contract/run";
import { pathsIn } from "@/lib/engine/values/value-path";
import { isPathColumn } from "../address/column-url";

/** Runs that are looked through, and paths that each adds. */
const RUNS = 20;
const OF_EACH = 40;
const MOST = 80;

/** Paths that have values in the loaded runs, tags first, because tags identify runs. */
export function suggestedPaths(runs: readonly Pick<RunListItem, "tags" | "input" | "output">[]): string[] {
  const looked = runs.slice(0, RUNS);
  const tags = looked.flatMap((run) => Object.keys(run.tags).map((name) => `tags.${name}`));
  const inputs = looked.flatMap(({ input }) => pathsIn(input, "input", OF_EACH));
  const outputs = looked.flatMap(({ output }) => pathsIn(output, "output", OF_EACH));
  return [...new Set([...tags, ...inputs, ...outputs])].filter(isPathColumn).slice(0, MOST);
}
