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
