import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { PatroniTrial } from "./trial";

/** Strikes × what came of them, as Markdown. */
export const HEADER = [
  "| strike | Patroni, s | service again, s | starts | outcomes | actions | lost claims | restarts | violations |",
  "| --- | --: | --: | --: | --: | --: | --: | --: | --: |",
];

export function rowOf(trial: PatroniTrial): string {
  const { fault, how, patroniMs, serviceMs, starts, outcomes, actions, lostClaims, restarts, violations } = trial;
  const patroni = patroniMs === undefined ? "–" : seconds(patroniMs);
  const service = serviceMs === 0 ? "did not stop" : seconds(serviceMs);
  const broken = violations.length === 0 ? "0" : `**${violations.length}**`;
  const cells = [`**${fault}**: ${how}`, patroni, service, starts, outcomes, actions, lostClaims, restarts, broken];
  return `| ${cells.join(" | ")} |`;
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1);

/** The page that `--save` writes. */
const PAGE = fileURLToPath(new URL("../../../docs/high-availability-table.md", import.meta.url));

export async function saveTable(trials: readonly PatroniTrial[], on = new Date()): Promise<void> {
  const broken = trials.reduce((sum, { violations }) => sum + violations.length, 0);
  const text = `# Strikes at Patroni

Made on ${on.toISOString().slice(0, 10)} by \`npm run faults -- patroni --save\`: **${trials.length} strikes, ${broken} violations**. What each column
means, and how to set this up: [high-availability.md](high-availability.md).

${[...HEADER, ...trials.map(rowOf)].join("\n")}
`;
  await writeFile(PAGE, text);
}
