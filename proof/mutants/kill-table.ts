import type { Trial } from "./trial";

export const asLine = (trial: Trial): string =>
  `${trial.outcome.padEnd(9)}${`${trial.seconds.toFixed(1)} s`.padStart(8)}  ${trial.mutant.name.padEnd(36)} ${reason(trial)}`;

function reason(trial: Trial): string {
  switch (trial.outcome) {
    case "killed":
      return `${trial.by.test}${trial.by.timedOut ? " (timeout)" : ""}`;
    case "survived":
      return `${trial.mutant.breaks} ${trial.mutant.killedBy.join(", ")} did not notice.`;
    case "invalid":
      return trial.because;
  }
}

export function tally(trials: readonly Trial[]): string {
  const count = (outcome: Trial["outcome"]) => trials.filter((trial) => trial.outcome === outcome).length;
  const invalid = count("invalid");
  return `${count("killed")} killed, ${count("survived")} survived${invalid > 0 ? `, ${invalid} invalid` : ""}`;
}

/** The page that `--save` writes. */
export function asPage(trials: readonly Trial[], on: Date): string {
  return `# Kill table

Each row is a deliberate breakage of the engine, applied alone to a copy of the project; the test named in its row failed.
Made on ${on.toISOString().slice(0, 10)} by \`npm run mutants -- --save\`: **${tally(trials)}**.

| mutant | what it breaks | promise | killed by | seconds |
| --- | --- | --- | --- | ---: |
${trials.map(asRow).join("\n")}
`;
}

function asRow(trial: Trial): string {
  const { name, breaks, promise } = trial.mutant;
  const cells = [`\`${name}\``, breaks, promise, killer(trial), trial.seconds.toFixed(1)];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function killer(trial: Trial): string {
  if (trial.outcome !== "killed") return `**${trial.outcome}**`;
  const { file, test, timedOut } = trial.by;
  return `${test}${timedOut ? " (did not end)" : ""} · \`${file}\``;
}
