import type { Command } from "commander";
import { WORDS } from "../../../lib/actions/words";
import type { Run, Step } from "../../../lib/api/contract/run";
import { paintStatus } from "../../output/paint";
import { plain } from "../../output/plain";
import { errorText, runFacts } from "../../output/run";
import type { Screen } from "../../output/screen";
import { took } from "../../output/times";
import { withSession } from "../../session/act";

export function addShowRun(runs: Command): void {
  runs
    .command("show <run>")
    .description("a run with its steps, and what can be done")
    .action(
      withSession(async ({ client, screen }, runId: string) => {
        screen.answer(await client.read("/v1/runs/{runId}", { runId }), (run) => runText(screen, run));
      }),
    );
}

function runText(screen: Screen, run: Run): string {
  const current = run.steps.filter(({ supersededBy }) => supersededBy === null);
  const open = run.acts.filter((state) => state.open).map(({ act }) => WORDS[act].name.toLowerCase());
  return [
    runFacts(screen, run),
    ...(current.length === 0 ? [] : ["", stepTable(screen, current)]),
    ...(run.stepsLeftOut > 0 ? [`… and ${run.stepsLeftOut} more steps`] : []),
    ...(open.length === 0 ? [] : ["", `${screen.paint("gray", "You can")}  ${open.join(", ")}`]),
  ].join("\n");
}

const stepTable = (screen: Screen, steps: readonly Step[]): string =>
  screen.table(
    ["step", "kind", "status", "attempt", "took", "reference or error"],
    steps.map((step) => [
      plain(step.name),
      step.kind,
      paintStatus(screen.paint, step.status),
      `${step.attempt}/${step.maxAttempts}`,
      took(step.startedAt, step.finishedAt),
      plain(step.reference ?? "") || errorText(step.error),
    ]),
  );
