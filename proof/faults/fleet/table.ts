import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { CELLS } from "./order";
import type { FleetTrial } from "./trial";

/** Strikes × what came of them, as Markdown. */
export const HEADER = [
  `| strike | starts acknowledged | runs | ${CELLS.join(" | ")} | bodies again | violations | s |`,
  `| --- | --: | --: | ${CELLS.map(() => "--:").join(" | ")} | --: | --: | --: |`,
];

export function rowOf({ fault, how, starts, runs, cells, bodiesAgain, violations, seen, seconds }: FleetTrial): string {
  const broken = violations.length === 0 ? "0" : `**${violations.length}**`;
  const found = seen ? `${seen} seen, as they must be` : broken;
  const counts = CELLS.map((cell) => cells[cell] ?? 0);
  return `| ${[`**${fault}**: ${how}`, starts, runs, ...counts, bodiesAgain, found, seconds].join(" | ")} |`;
}

/** The page that `--save` writes. */
const PAGE = fileURLToPath(new URL("../../../docs/fleet-table.md", import.meta.url));

export async function saveTable(trials: readonly FleetTrial[], on = new Date()): Promise<void> {
  const broken = trials.reduce((sum, { violations }) => sum + violations.length, 0);
  const strikes = trials.filter(({ seen }) => seen === undefined);
  const starts = strikes.reduce((sum, trial) => sum + trial.starts, 0);
  const text = `# Strikes at a fleet of cells

Made on ${on.toISOString().slice(0, 10)} by \`npm run faults -- fleet --save\` (seed ${trials[0]?.seed}): **${strikes.length} strikes with ${starts} acknowledged starts, ${broken} violations**;
and ${trials.length - strikes.length} ways that are wrong, in which the judge must see second runs.

Each strike is on four PostgreSQL servers with a worker's process for each cell, and two processes that start orders, each again until it is acknowledged. Both are given every key, and old keys
again and again. Afterwards each key must have one run in all cells together, completed and with the id that was acknowledged, and each of its three steps one effect: bodies that ran again did so
under the same idempotency key. The doctor finds nothing in any of the databases. Wherever a server is away, starts in the other cells go on, and the fleet's list names the one that is missing.

${[...HEADER, ...trials.map(rowOf)].join("\n")}
`;
  await writeFile(PAGE, text);
}
